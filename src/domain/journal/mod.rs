//! What is written down of a chat as it goes on.

pub mod done;
pub mod work;
