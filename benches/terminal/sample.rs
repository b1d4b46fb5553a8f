//! What is streamed: the same bytes on every machine and in every run.
//!
//! A quarter each of plain numbers, a coloured log, Chinese and Japanese text with emoji, and the frames of an agent
//! CLI that redraws its box at the bottom, taking turns every 64 KiB.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

const TURN: usize = 64 << 10;
/// Rows of the redrawn box.
const BOX: usize = 14;
const WIDTH: usize = 100;

/// The file with `megabytes` of the sample, made where it is missing.
pub fn file(folder: &Path, megabytes: usize) -> anyhow::Result<PathBuf> {
    // The number is that of this file's recipe: another recipe must not find the old bytes.
    let path = folder.join(format!("sample-1-{megabytes}MB"));
    if path.exists() {
        return Ok(path);
    }
    let partial = path.with_extension("partial");
    let mut out = BufWriter::new(File::create(&partial).context("making the sample")?);
    let mut recipe = Recipe::default();
    let wanted = megabytes * 1_000_000;
    let mut written = 0;
    while written < wanted {
        for turn in [Recipe::numbers, Recipe::log, Recipe::wide, Recipe::frames] {
            let text = turn(&mut recipe);
            out.write_all(text.as_bytes())?;
            written += text.len();
        }
    }
    out.flush()?;
    fs::rename(&partial, &path)?;
    Ok(path)
}

/// One whole frame of a program that draws all it has, with something changed in every row.
pub fn frame(number: usize) -> String {
    let mut text = String::from("\x1b[?2026h\x1b[H");
    for row in 0..30 {
        let colour = 31 + (row + number) % 6;
        let _ = writeln!(
            text,
            "\x1b[{colour}m│\x1b[0m {:>6} \x1b[1m{:08x}\x1b[0m {}\x1b[K",
            number + row,
            (number * 2_654_435_761 + row) & 0xFFFF_FFFF,
            "compiling the next thing ".repeat(3),
        );
    }
    text.push_str("\x1b[?2026l");
    text
}

#[derive(Default)]
struct Recipe {
    number: usize,
    chance: u64,
}

impl Recipe {
    /// A small generator of our own: its numbers must never change.
    fn roll(&mut self, sides: usize) -> usize {
        self.chance = self
            .chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) as usize % sides
    }

    fn numbers(&mut self) -> String {
        let mut text = String::new();
        while text.len() < TURN {
            self.number += 1;
            let _ = writeln!(text, "{}", self.number);
        }
        text
    }

    fn log(&mut self) -> String {
        const LEVELS: [&str; 4] = [
            "\x1b[32m INFO\x1b[0m",
            "\x1b[33m WARN\x1b[0m",
            "\x1b[1;31mERROR\x1b[0m",
            "\x1b[34mDEBUG\x1b[0m",
        ];
        const WORDS: [&str; 6] = ["connected to", "retrying", "read", "dropped", "flushed", "waiting for"];
        let mut text = String::new();
        while text.len() < TURN {
            self.number += 1;
            let (level, word) = (LEVELS[self.roll(4)], WORDS[self.roll(6)]);
            let (host, spent, colour) = (self.roll(256), self.roll(9_999), self.roll(256));
            let _ = writeln!(
                text,
                "\x1b[2m2026-01-01T00:00:{:02}.{:03}Z\x1b[0m {level} \x1b[38;5;{colour}mgrove::net\x1b[0m: {word} \x1b[1mhost-{host}\x1b[0m in {spent} ms \x1b[38;2;90;{host};200mid={}\x1b[0m",
                self.number / 1000 % 60,
                self.number % 1000,
                self.number,
            );
        }
        text
    }

    fn wide(&mut self) -> String {
        const WORDS: [&str; 8] = [
            "終端機模擬器",
            "日本語の文章",
            "測試",
            "🚀🎉",
            "👩‍💻 ok",
            "kaffe",
            "漢字かな",
            "🧪",
        ];
        let mut text = String::new();
        while text.len() < TURN {
            for _ in 0..4 + self.roll(8) {
                text.push_str(WORDS[self.roll(8)]);
                text.push(' ');
            }
            text.push('\n');
        }
        text
    }

    /// As Ink does it: erase the box from below, print what has become final above it, draw the box again.
    fn frames(&mut self) -> String {
        let mut text = "\n".repeat(BOX);
        while text.len() < TURN {
            text.push_str("\x1b[?2026h");
            text.push_str(&"\x1b[2K\x1b[1A".repeat(BOX));
            text.push_str("\x1b[G");
            if self.roll(6) == 0 {
                let _ = writeln!(
                    text,
                    "\x1b[32m●\x1b[0m Read \x1b[1msrc/file_{}.rs\x1b[0m",
                    self.roll(999)
                );
            }
            self.boxed(&mut text);
            text.push_str("\x1b[?2026l");
        }
        text
    }

    fn boxed(&mut self, text: &mut String) {
        let line = "─".repeat(WIDTH);
        let _ = writeln!(text, "\x1b[38;5;240m╭{line}╮\x1b[39m");
        for row in 2..BOX {
            let said = format!("{row:>2} · step {} of 40", self.roll(40));
            let colour = 31 + self.roll(6);
            let _ = writeln!(
                text,
                "\x1b[38;5;240m│\x1b[39m\x1b[{colour}m{said:<WIDTH$}\x1b[39m\x1b[38;5;240m│\x1b[39m",
            );
        }
        let _ = writeln!(text, "\x1b[38;5;240m╰{line}╯\x1b[39m");
    }
}
