//! What follows from what a person does at a screen, a shell asks, an agent says.

mod agents;
mod asking;
mod chats;
mod duplicates;
mod gate;
mod hibernation;
mod hooks;
mod moving;
mod palette;
mod prompts;
mod reading;
mod restarts;
mod senders;
mod status;
mod streams;
mod turns;
mod typing;
mod unnumbered;
mod waits;
