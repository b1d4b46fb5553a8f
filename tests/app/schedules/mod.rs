//! Schedules by a clock of the test's own: what is claimed, launched, skipped, made up for, and how runs end.

mod agents;
mod budgets;
mod due;
mod kills;
mod play;
mod results;
