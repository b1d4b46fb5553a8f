//! What a person lives through with parlour, played with the real binary and the demo agent.

mod agents;
mod chats;
mod crash;
mod custom;
mod damaged;
mod first_hour;
mod homes;
mod lives;
mod prompts;
mod starts;
