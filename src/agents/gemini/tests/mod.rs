//! Gemini CLI's recorded words read back, and its files written into homes that people and agents have changed.

mod files;
mod going_back;
mod records;
mod words;
