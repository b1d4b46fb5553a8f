//! Real agent CLIs in the real parlour, from the first word to the engine's death and back.

mod acceptance;
mod acts;
mod bursts;
mod claude;
mod claude_record;
mod codex;
mod commands;
mod duplicates;
mod forks;
mod gemini;
mod kills;
mod moves;
mod opencode;
mod queries;
mod rests;
mod reviews;
mod rules;
mod sandbox;
mod steering;
mod sub_agents;
mod talk;
mod team;
mod told;
mod typing;
mod usage;
mod workflows;
