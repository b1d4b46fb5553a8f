//! What follows from what a person does at a screen.

mod asking;
mod moving;
mod typing;
