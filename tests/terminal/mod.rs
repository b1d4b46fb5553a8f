//! Real agent CLIs in the real parlour, from the first word to the engine's death and back.

mod claude;
mod codex;
mod duplicates;
mod gemini;
mod opencode;
mod told;
