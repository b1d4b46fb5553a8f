//! How long an agent worked in a turn: from its prompt to the last that it did, without the time in which a question
//! waited for a person or in which it rested.

use super::{Happened, Timestamp};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnClock {
    /// In stretches that are over, in milliseconds.
    worked: u64,
    /// Since when it works; `None` while it rests or asks.
    since: Option<Timestamp>,
    /// When it last did something.
    last: Timestamp,
    /// Since when a person is asked. What goes on beside the question is not counted.
    asks: Option<Timestamp>,
    /// For answers that were given, in milliseconds.
    waited: u64,
    /// When it was seen to rest. What is told later of what it did before still counts, up to then.
    rested: Option<Timestamp>,
    /// Milliseconds before a rest in which nothing was told, once it works again: a call may have run then, whose end is
    /// told later.
    untold: u64,
}

impl TurnClock {
    /// Its prompt was taken in.
    pub fn begins(at: Timestamp) -> TurnClock {
        TurnClock {
            since: Some(at),
            last: at,
            ..TurnClock::default()
        }
    }

    pub fn take(&mut self, at: Timestamp, what: &Happened) {
        match what {
            Happened::Status { status, .. } => match status.as_str() {
                // A menu that was opened after its end is none of its questions.
                "needs-you" if self.rested.is_some() => {}
                "needs-you" => {
                    self.last = self.last.max(at);
                    self.stop();
                    self.asks.get_or_insert(at);
                }
                "running" | "retrying" => {
                    self.answered(at);
                    if let Some(rested) = self.rested.take() {
                        self.untold = rested.ms_since(self.last);
                    }
                    self.work(at);
                }
                "starting" | "unknown" => {}
                _ => self.rests(at),
            },
            // Nobody saw when the question ended: parlour was not there.
            Happened::Permission { answer, .. } if answer == "unknown" => self.asks = None,
            other if !other.is_work() => {}
            _ => {
                match what {
                    Happened::ToolEnd { .. } => self.worked += std::mem::take(&mut self.untold),
                    Happened::ToolStart { .. } => self.untold = 0,
                    _ => {}
                }
                match self.rested {
                    Some(rested) => self.told_late(at.min(rested)),
                    None if self.asks.is_some() => {}
                    None => self.work(at),
                }
            }
        }
    }

    /// Its end may be noticed late: what counts is what it did last.
    fn rests(&mut self, at: Timestamp) {
        self.stop();
        if self.answered(at) {
            self.last = self.last.max(at);
        }
        self.rested.get_or_insert(at);
    }

    /// Says whether a person was asked.
    fn answered(&mut self, at: Timestamp) -> bool {
        let asked = self.asks.take();
        self.waited += asked.map_or(0, |asked| at.ms_since(asked));
        asked.is_some()
    }

    fn told_late(&mut self, at: Timestamp) {
        self.worked += at.ms_since(self.last);
        self.last = self.last.max(at);
    }

    fn work(&mut self, at: Timestamp) {
        self.since.get_or_insert(at);
        self.last = self.last.max(at);
    }

    fn stop(&mut self) {
        if let Some(since) = self.since.take() {
            self.worked += self.last.ms_since(since);
        }
    }

    /// As far as something was done.
    pub fn ms(&self) -> u64 {
        self.ms_at(self.last)
    }

    /// The same of a turn that goes on.
    pub fn ms_at(&self, now: Timestamp) -> u64 {
        self.worked + self.since.map_or(0, |since| now.ms_since(since))
    }

    /// How long it has waited for answers of a person, beside that.
    pub fn waited(&self) -> u64 {
        self.waited
    }

    /// The same of a turn that goes on.
    pub fn waited_at(&self, now: Timestamp) -> u64 {
        self.waited + self.asks.map_or(0, |asked| now.ms_since(asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::entry::ToolStatus;

    fn status(word: &str) -> Happened {
        Happened::Status {
            status: word.into(),
            detail: String::new(),
            cause: String::new(),
        }
    }

    fn text() -> Happened {
        Happened::Text {
            id: "a".into(),
            text: "b".into(),
        }
    }

    fn note() -> Happened {
        Happened::Note { text: "renamed".into() }
    }

    /// Seconds of what happens at these.
    fn worked(all: &[(i64, Happened)]) -> u64 {
        let mut clock = TurnClock::begins(Timestamp(10_000));
        for (at, what) in all {
            clock.take(Timestamp(at * 1_000), what);
        }
        clock.ms() / 1_000
    }

    #[test]
    fn what_waits_for_a_person_is_no_work() {
        let asked = [(11, status("running")), (14, text()), (15, status("needs-you"))];
        assert_eq!(worked(&asked), 5);
        let meanwhile = [(60, text())];
        assert_eq!(worked(&[&asked[..], &meanwhile].concat()), 5);
        let answered = [(900, status("running")), (903, text()), (904, status("idle"))];
        assert_eq!(worked(&[&asked[..], &meanwhile, &answered].concat()), 8);
    }

    #[test]
    fn the_wait_for_a_person_is_counted_apart() {
        let mut clock = TurnClock::begins(Timestamp(10_000));
        for (at, what) in [(15, status("needs-you")), (25, status("running")), (26, text())] {
            clock.take(Timestamp(at * 1_000), &what);
        }
        assert_eq!((clock.ms(), clock.waited()), (6_000, 10_000));
        clock.take(Timestamp(30_000), &status("needs-you"));
        assert_eq!(clock.waited_at(Timestamp(33_000)), 13_000);
        clock.take(Timestamp(35_000), &status("idle"));
        assert_eq!(clock.waited(), 15_000);
    }

    #[test]
    fn nor_is_what_lies_between_its_end_and_what_comes_later() {
        let done = [(12, text()), (13, status("idle"))];
        assert_eq!(worked(&done), 2);
        assert_eq!(worked(&[&done[..], &[(4_000, note())]].concat()), 2);
        // An agent may go on by itself.
        let later = [(5_000, status("running")), (5_007, text()), (5_008, status("idle"))];
        assert_eq!(worked(&[&done[..], &later].concat()), 9);
    }

    #[test]
    fn what_is_told_late_of_its_end_counts_up_to_its_end() {
        let done = [(12, text()), (15, status("idle"))];
        assert_eq!(worked(&[&done[..], &[(14, text())]].concat()), 4);
        assert_eq!(worked(&[&done[..], &[(15, text())]].concat()), 5);
        let cut_call = Happened::tool_ended("t", ToolStatus::Interrupted, String::new(), None);
        let cut = [&done[..], &[(16, cut_call)]].concat();
        assert_eq!(worked(&cut), 5);
        // The next turn is seen to run before its prompt is told.
        let next = [(14, text()), (400, status("running"))];
        assert_eq!(worked(&[&done[..], &next].concat()), 4);
        let refused = [(12, text()), (13, status("needs-you")), (60, status("idle"))];
        assert_eq!(worked(&[&refused[..], &[(59, text())]].concat()), 3);
    }

    #[test]
    fn a_call_that_was_interrupted_counts_up_to_then_though_its_end_is_told_after_a_moment_of_rest() {
        let ended = || Happened::tool_ended("t", ToolStatus::Interrupted, String::new(), None);
        let cut = [(12, status("running")), (32, status("idle")), (33, status("running"))];
        assert_eq!(worked(&cut), 2);
        let told = [(32, ended()), (34, status("idle"))];
        assert_eq!(worked(&[&cut[..], &told].concat()), 22);
        // Another call says nothing of what was before it.
        let begun = Happened::ToolStart {
            id: "u".into(),
            name: "Bash".into(),
            input: serde_json::Value::Null,
            parent: None,
            dir: None,
        };
        let next = [(35, begun), (36, ended()), (36, status("idle"))];
        assert_eq!(worked(&[&cut[..], &next].concat()), 5);
    }

    #[test]
    fn the_time_without_an_engine_does_not_count() {
        let lost = Happened::tool_ended("t", ToolStatus::Unknown, String::new(), None);
        let cut = [
            (12, status("running")),
            (14, text()),
            (9_000, lost),
            (9_001, status("exited")),
        ];
        assert_eq!(worked(&cut), 4);
    }

    #[test]
    fn nor_does_a_question_whose_end_nobody_saw() {
        let mut clock = TurnClock::begins(Timestamp(10_000));
        let lost = Happened::Permission {
            id: "t".into(),
            tool: "Bash".into(),
            input: serde_json::Value::Null,
            rule: None,
            answer: "unknown".into(),
            by: "nobody".into(),
            reason: None,
            given_once_written: false,
        };
        for (at, what) in [(15, status("needs-you")), (9_000, lost), (9_001, status("exited"))] {
            clock.take(Timestamp(at * 1_000), &what);
        }
        assert_eq!((clock.ms(), clock.waited()), (5_000, 0));
    }
}
