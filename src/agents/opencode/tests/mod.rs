//! OpenCode's recorded words read back, and what it is told at its start.

mod rules;
mod starts;
mod sub_agents;
mod words;
