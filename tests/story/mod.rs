//! What a person lives through with parlour, played with the real binary and the demo agent.

mod agents;
mod beside;
mod chats;
mod crash;
mod custom;
mod damaged;
mod deeds;
mod demo_team;
mod first_hour;
mod homes;
mod inbox;
mod lives;
mod losses;
mod main_chat;
mod modes;
mod names;
mod persons;
mod prompts;
mod schedules;
mod scripts;
mod sends;
mod servers;
mod slips;
mod starts;
mod team;
mod work;
