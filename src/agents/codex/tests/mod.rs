//! Codex's recorded words read back, and its files written into directories that people have changed.

mod files;
mod going_back;
mod newer;
mod records;
mod rules;
mod words;
