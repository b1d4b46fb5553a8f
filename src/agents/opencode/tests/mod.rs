//! OpenCode's recorded words read back, and what it is told at its start.

mod arriving;
mod going_back;
mod rules;
mod starts;
mod sub_agents;
mod words;
