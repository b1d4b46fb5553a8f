//! Prompts that a CLI took in while a turn went on, and keeps until it comes to them.
//!
//! A newer Claude Code calls its hook for one as it is typed, under the id of the turn that goes on. No hook tells when
//! it comes to it: its transcript does. Gemini CLI tells its model by itself to go on, if that answered with nothing.

use crate::model::Timestamp;

/// Behind the end of a turn the next one begins within that time. One that has not is not waited for.
const COMES_NEXT_MS: u64 = 3_000;

/// The same behind an answer that is empty: it takes a sixth of a second.
const NUDGES_MS: u64 = 600;

#[derive(Default)]
pub struct KeptPrompts {
    /// The ids of the prompts that the turn works on, of which some CLIs tell none.
    ids: Vec<String>,
    /// What it began with, as it is compared.
    began_with: String,
    /// What the CLI keeps, as it is compared, and since when.
    kept: Vec<(String, Timestamp)>,
    /// Its model answered with nothing.
    silent: Option<Timestamp>,
}

impl KeptPrompts {
    /// A turn begins with this prompt.
    pub fn begins_with(&mut self, id: &str, said: &str) {
        self.ids.clear();
        self.adds(id);
        self.began_with = said.into();
    }

    /// A turn has begun with a prompt, and this is another one.
    pub fn works_on_another(&self, id: &str, said: &str) -> bool {
        let is_known = self.is_of_turn(id);
        let may_be_first = self.began_with == said && self.ids.iter().any(String::is_empty);
        !self.ids.is_empty() && !is_known && !may_be_first
    }

    /// The turn works on a prompt.
    pub fn has_begun(&self) -> bool {
        !self.ids.is_empty()
    }

    /// The turn works on this prompt too.
    pub fn adds(&mut self, id: &str) {
        self.ids.push(id.into());
    }

    /// A hook that tells this id tells of the turn that goes on, or has just ended.
    pub fn is_of_turn(&self, id: &str) -> bool {
        !id.is_empty() && self.ids.iter().any(|known| known == id)
    }

    /// Its model answered with nothing, at which the CLI goes on by itself.
    pub fn answers_nothing(&mut self, now: Timestamp) {
        self.silent = Some(now);
    }

    /// A turn goes on, or another one begins.
    pub fn goes_on(&mut self) {
        self.silent = None;
    }

    pub fn keeps(&mut self, said: String, now: Timestamp) {
        self.kept.push((said, now));
    }

    /// The CLI has come to this one; whether it kept it.
    pub fn takes(&mut self, said: &str) -> bool {
        let at = self.kept.iter().position(|(kept, _)| kept == said);
        at.map(|at| self.kept.remove(at)).is_some()
    }

    /// Until when the turn counts that begins by itself behind one that ended then.
    pub fn comes_next_until(&self, over: Option<Timestamp>) -> Option<Timestamp> {
        let behind = |at: Timestamp| over.unwrap_or(at).max(at);
        let newest = self.kept.iter().map(|(_, at)| *at).max();
        let kept = newest.map(|at| behind(at).plus_ms(COMES_NEXT_MS));
        kept.max(self.silent.map(|at| behind(at).plus_ms(NUDGES_MS)))
    }

    /// It did not come to what it kept.
    pub fn forget(&mut self) {
        self.kept.clear();
        self.silent = None;
    }

    /// The moments from which its deadlines are counted.
    pub fn moments(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        self.kept.iter_mut().map(|(_, at)| at).chain(&mut self.silent)
    }
}
