//! Reading a transcript whose lines are so long that few of them fit into what is held of it.

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{Read, ReadDone, ShownContent, ShownRead, Work};
use parlour::model::transcript::{PageAt, PageLine, TranscriptPage};

use crate::support::transcript::{numbered, said};
use crate::support::world::World;

/// A page ends with the line that reaches this.
const PAGE: u64 = 512 << 10;
/// With more, it is never at rest.
const PATIENCE: usize = 200;

/// Lines with their bytes.
struct LongPaper(Vec<(u64, PageLine)>);

impl LongPaper {
    fn of(count: usize, bytes: u64) -> LongPaper {
        let entries = numbered((0..count).map(|at| said(&format!("answer {at}"))).collect());
        let lines = entries.into_iter();
        LongPaper(lines.map(|entry| (bytes, PageLine::Entry(entry.into()))).collect())
    }

    /// The byte at which the line of this place begins.
    fn start(&self, place: usize) -> u64 {
        self.0[..place].iter().map(|(bytes, _)| bytes).sum()
    }

    fn place(&self, byte: u64) -> usize {
        (0..=self.0.len()).find(|place| self.start(*place) >= byte).unwrap()
    }

    fn back(&self, end: usize) -> usize {
        let is_long = |from: &usize| self.start(end) - self.start(*from) >= PAGE;
        (0..end).rev().find(is_long).unwrap_or(0)
    }

    fn on(&self, from: usize) -> usize {
        let is_long = |end: &usize| self.start(*end) - self.start(from) >= PAGE;
        (from..=self.0.len()).find(is_long).unwrap_or(self.0.len())
    }

    fn page(&self, at: PageAt) -> TranscriptPage {
        let all = self.0.len();
        let (from, to) = match at {
            PageAt::End => (self.back(all), all),
            PageAt::Before(end) => (self.back(self.place(end)), self.place(end)),
            PageAt::Start => (0, self.on(0)),
            PageAt::After(start) => (self.place(start), self.on(self.place(start))),
            PageAt::Around(_) => unreachable!("nothing is searched for here"),
        };
        TranscriptPage {
            at,
            lines: self.0[from..to].iter().map(|(_, line)| line.clone()).collect(),
            from: self.start(from),
            to: self.start(to),
            whole: self.start(all),
            prompts_before: Some(0),
        }
    }

    /// Answers until nothing more is asked for.
    fn settle(&self, world: &mut World, effects: Vec<Effect>) {
        let (mut due, mut pages) = (effects, 0);
        while let Some(effect) = due.pop() {
            if let Effect::Work(number, Work::Read(Read::Shown(ShownRead::Page(chat, at)))) = effect {
                pages += 1;
                assert!(pages < PATIENCE, "it reads on and on: {at:?}");
                let page = ShownContent::Page(chat, self.page(at));
                let done = Outcome::Read(ReadDone::Shown(page));
                due.extend(world.happens(Event::Done(number, done)));
            }
        }
    }

    fn press(&self, world: &mut World, keys: &str) {
        for key in keys.split(' ') {
            let effects = world.press(key);
            self.settle(world, effects);
        }
    }
}

#[test]
fn long_lines_are_read_until_the_screen_is_full_and_no_further() {
    let paper = LongPaper::of(120, 450 << 10);
    let mut world = World::morning(120, 40);
    paper.press(&mut world, "t");
    assert!(world.picture().contains("answer 119"), "{}", world.picture());
    for _ in 0..40 {
        paper.press(&mut world, "pageup");
    }
    assert!(world.picture().contains("answer 0"), "{}", world.picture());
    for _ in 0..40 {
        paper.press(&mut world, "pagedown");
    }
    assert!(world.picture().contains("answer 119"), "{}", world.picture());
    paper.press(&mut world, "g");
    assert!(world.picture().contains("answer 0"), "{}", world.picture());
    paper.press(&mut world, "G");
    assert!(world.picture().contains("answer 119"), "{}", world.picture());
}

#[test]
fn what_stands_behind_a_long_damage_is_shown() {
    let mut paper = LongPaper::of(200, 10_000);
    paper.0.insert(188, (10 << 20, PageLine::Gap(10 << 20)));
    let mut world = World::morning(120, 40);
    paper.press(&mut world, "t");
    let end = world.picture();
    assert!(end.contains("answer 199") && end.contains("answer 188"), "{end}");
    paper.press(&mut world, "pageup");
    assert!(world.picture().contains("answer 180"), "{}", world.picture());
    paper.press(&mut world, "G");
    assert!(world.picture().contains("answer 199"), "{}", world.picture());
}
