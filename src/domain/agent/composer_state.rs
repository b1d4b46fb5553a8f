//! What an agent's composer was last seen to show, and what of that keeps a prompt from being typed into it.

use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::state::Domain;
use crate::model::{Capabilities, ChatId, Composer, Glance, Happened, Timestamp};
use crate::term::paste;

use super::keys::RESTS_MS;
use super::prompt_escape::composed;
use super::same_text::{is_drawn, is_part};
use super::state::Agent;
use super::state::outbox::{Obstacle, QueuedPrompt};

/// How long the answer of a terminal is waited for that was asked what it shows.
const ANSWER_MS: u64 = 1_000;

/// How long what was left has been gone from the composer before it is typed again: whoever sent it there sent it along.
const GONE_MS: u64 = 3_000;

/// How long a busy machine may take to draw a prompt as taken, after its turn has begun, or has ended already.
const REDRAWS_MS: u64 = 3_000;

/// How long a composer has been missing until that counts as a menu: it may be about to be drawn.
const MENU_MS: u64 = 2_000;

const TAKES: &str = "the agent has just taken the prompt before it";
const TYPES: &str = "somebody is typing in the agent";
const DRAFT: &str = "there is an unsent draft in the agent's composer";
const NO_COMPOSER: &str = "the agent's composer is not on its screen (a menu may be open)";
const ASKS: &str = "the agent's screen seems to ask something: look at it";
const STANDS: &str = "it stands in the agent's composer beside other text: send or erase that";
const SHOWS_PART: &str =
    "it stands in the agent's composer, and whether all of it does cannot be read: send or erase it";

impl Agent {
    /// Has its terminal tell what it shows, after all that was typed before.
    pub(super) fn look(&mut self, chat: &ChatId, now: Timestamp) -> Vec<Effect> {
        let composer_state = &mut self.outbox.composer_state;
        match composer_state.asked.map(|asked| asked.plus_ms(ANSWER_MS)) {
            Some(patience) if now < patience => vec![Effect::WakeAt(patience)],
            Some(_) | None => {
                composer_state.asked = Some(now);
                let again = Effect::WakeAt(now.plus_ms(ANSWER_MS));
                vec![Effect::Pane(chat.clone().into(), PaneOrder::Read), again]
            }
        }
    }
}

/// After every event: of a composer that no prompt is for nothing is heard, so nothing of it is known either.
pub fn settle(state: &mut Domain) {
    let idle = |(_, agent): &(&ChatId, &mut Agent)| agent.outbox.queue.is_empty() && agent.outbox.typing.is_none();
    let idle = state.live.agents.awake_mut().filter(idle);
    idle.for_each(|(_, agent)| agent.outbox.composer_state.glance = None);
}

/// What a composer is to hold so that Enter sends this prompt.
pub(super) fn text_of(queued_prompt: &QueuedPrompt, capabilities: &Capabilities) -> String {
    let text = paste::of_prompt(&queued_prompt.prompt.text);
    match capabilities.confirms && !queued_prompt.prompt.command {
        true => composed(&text, capabilities.drops_blanks),
        false => text,
    }
}

/// Whether a composer holds this text and nothing else.
pub(super) fn is_just(shown: &Composer, text: &str) -> bool {
    let Composer::Holds(shown) = shown else {
        return false;
    };
    is_drawn(shown, text)
}

/// What in the composer keeps a prompt from being typed, as far as it was seen; and a person who types right now.
pub(super) fn in_the_way(agent: &Agent, now: Timestamp) -> Option<Obstacle> {
    let composer = &agent.outbox.composer_state.glance.as_ref()?.composer;
    let rested = agent.keys.last.map(|last| last.plus_ms(RESTS_MS));
    let types = rested.filter(|rested| now < *rested);
    stands(agent, composer.as_ref(), now).or_else(|| types.map(|rested| Obstacle::Until(rested, TYPES)))
}

fn stands(agent: &Agent, composer: Option<&Composer>, now: Timestamp) -> Option<Obstacle> {
    let composer_state = &agent.outbox.composer_state;
    match composer {
        None if !agent.draft.is_empty() => Some(Obstacle::Person(DRAFT)),
        None if composer_state.left.is_some() => Some(Obstacle::Person(ASKS)),
        None => None,
        Some(Composer::Absent) => {
            let counts = composer_state.since.plus_ms(MENU_MS);
            Some(match now < counts {
                true => Obstacle::Until(counts, NO_COMPOSER),
                false => Obstacle::Person(NO_COMPOSER),
            })
        }
        Some(Composer::Empty) => {
            let gone = composer_state
                .left
                .map(|left| left.plus_ms(GONE_MS))
                .filter(|gone| now < *gone);
            gone.map(|gone| Obstacle::Until(gone, TYPES))
        }
        Some(Composer::Holds(_) | Composer::Pasted) if agent.holds_what_was_left() => None,
        // It was told of a prompt, or of its turn's end, before that was drawn as taken.
        Some(Composer::Holds(_)) if agent.holds_last_prompt() && now < agent.redraws_until() => {
            Some(Obstacle::Until(agent.redraws_until(), TAKES))
        }
        Some(Composer::Holds(_)) if agent.holds_retracted() => None,
        Some(Composer::Holds(_) | Composer::Pasted) => Some(Obstacle::Person(match composer_state.left {
            Some(_) if agent.shows_part_of_what_was_left() => SHOWS_PART,
            Some(_) => STANDS,
            None => DRAFT,
        })),
    }
}

impl Agent {
    /// The first prompt of the queue stands in the composer, and nothing beside it.
    pub(super) fn holds_what_was_left(&self) -> bool {
        self.left_in_composer()
            .is_some_and(|(shown, text)| is_just(shown, &text))
    }

    /// Nothing but signs of it shows, though not all.
    fn shows_part_of_what_was_left(&self) -> bool {
        self.left_in_composer().is_some_and(|(shown, text)| match shown {
            Composer::Holds(shown) => is_part(shown, &text),
            Composer::Pasted => true,
            Composer::Empty | Composer::Absent => false,
        })
    }

    /// What the composer shows, in which the first prompt of the queue was left, and what it is to show.
    fn left_in_composer(&self) -> Option<(&Composer, String)> {
        let composer_state = &self.outbox.composer_state;
        composer_state.left?;
        let shown = composer_state.composer()?;
        let (queued_prompt, capabilities) = self.outbox.queue.front().zip(self.capabilities.as_ref())?;
        Some((shown, text_of(queued_prompt, capabilities)))
    }
}

impl Agent {
    pub(super) fn sees(&mut self, glance: Glance, now: Timestamp) {
        let composer_state = &mut self.outbox.composer_state;
        if glance.asked {
            composer_state.asked = None;
        }
        let before = composer_state.glance.as_ref();
        if before.map(|before| &before.composer) != Some(&glance.composer) {
            composer_state.since = now;
            composer_state.left = composer_state.left.map(|_| now);
        }
        // Nobody can read whether it stands there still: it is as good as gone when what asked is.
        let is_blind = glance.composer.is_none();
        let changes = before.is_some_and(|before| before.text != glance.text);
        composer_state.left.take_if(|_| is_blind && changes);
        composer_state.glance = Some(glance);
    }

    /// The last prompt of parlour's stands there again, and nobody has typed since: Claude Code puts a prompt back that
    /// was interrupted before it was answered, and on a busy machine now and then one that it answered at once. One that
    /// was answered a person may have gone back to, by keys, to change it. In a turn it stands there still, and the key
    /// that erases it would end that, or what its end still does.
    pub(super) fn holds_retracted(&self) -> bool {
        self.verdict.status.is_idle() && !self.is_gone_back_to() && self.holds_last_prompt()
    }

    fn is_gone_back_to(&self) -> bool {
        let composer_state = &self.outbox.composer_state;
        composer_state.settled && composer_state.is_touched
    }

    /// Until then the last prompt may still be drawn in its composer though it was taken.
    fn redraws_until(&self) -> Timestamp {
        let last = match self.is_gone_back_to() {
            true => self.turn.began,
            false => self.turn.began.max(self.since),
        };
        last.plus_ms(REDRAWS_MS)
    }

    /// Its transcript tells this: what answers its last prompt.
    pub(super) fn hears_answer(&mut self, told: &Happened) {
        self.outbox.composer_state.settled |= told.is_answer() && self.outbox.typing.is_none();
    }

    fn holds_last_prompt(&self) -> bool {
        let composer_state = &self.outbox.composer_state;
        let shown = composer_state.composer().zip(composer_state.pasted.as_deref());
        self.draft.is_empty() && shown.is_some_and(|(shown, pasted)| is_just(shown, pasted))
    }

    pub(super) fn composer_is_taken(&self) -> bool {
        let shown = self.outbox.composer_state.composer();
        shown.is_some_and(|shown| *shown != Composer::Empty)
    }
}
