//! Shipped themes can be read, on each ground that text stands on, and one of them by people who are colour-blind.

use ratatui::style::{Color, Style};

use crate::config::theme::{NAMES, READABLE, Theme, contrast, over};
use crate::config::themes::{SHIPPED, shipped};

#[test]
fn each_shipped_theme_says_everything_and_is_readable() {
    for of in SHIPPED.iter().filter(|of| of.name != "terminal") {
        let named = of.name;
        let mut theme = shipped(named).unwrap();
        let paper = theme.background.bg;
        for name in NAMES {
            let style = *theme.slot(name).unwrap();
            assert_ne!(style, Style::new(), "{named}: {name} is missing");
            // A border is seen, not read; the background has no text of its own.
            if name != "border" && name != "background" && !name.ends_with("_ground") {
                let contrast = contrast(style.fg, style.bg.or(paper)).unwrap();
                assert!(contrast >= 4.5, "{named}: {name}: {contrast:.2}");
            }
        }
        let words = [
            "text", "comment", "keyword", "string", "number", "function", "type", "added", "removed",
        ];
        for (ground, word) in ["added_ground", "removed_ground"]
            .iter()
            .flat_map(|g| words.map(|w| (*g, w)))
        {
            let (paper, ink) = (theme.slot(ground).unwrap().bg, theme.slot(word).unwrap().fg);
            let contrast = contrast(ink, paper).unwrap();
            assert!(contrast >= 4.5, "{named}: {word} on {ground}: {contrast:.2}");
        }
        // A row that waits is seen among the others.
        let tint = contrast(theme.waiting_ground(), paper).unwrap();
        assert!(tint >= 1.35, "{named}: {tint:.2}");
        // What is written on rows that have a ground of their own.
        let grounds = [
            theme.selection.bg,
            theme.waiting_ground(),
            theme.diff.added_ground.bg,
            theme.diff.removed_ground.bg,
        ];
        for (ground, name) in grounds.iter().flat_map(|ground| ON_ROWS.map(|name| (*ground, name))) {
            let ink = over(*theme.slot(name).unwrap(), ground);
            let contrast = contrast(ink.fg, ink.bg).unwrap();
            assert!(
                ink.bg == ground && contrast >= READABLE,
                "{named}: {name} on {ground:?}: {contrast:.2}"
            );
        }
    }
}

/// What may stand on the selected row, on one that waits, or behind a line that was changed.
const ON_ROWS: [&str; 11] = [
    "text", "dim", "accent", "header", "key", "waiting", "running", "idle", "unseen", "failed", "exited",
];

#[test]
fn ink_that_can_be_read_stays_as_it_is() {
    let theme = Theme::dark();
    assert_eq!(over(theme.text, theme.selection.bg).fg, theme.text.fg);
    assert_ne!(over(theme.exited, theme.selection.bg).fg, theme.exited.fg);
    assert_eq!(over(theme.exited, None), theme.exited);
    let own = Theme::terminal();
    assert_eq!(over(own.waiting, own.selection.bg), own.waiting);
}

/// How far apart two colours are (CIE 1976) for people without the cones of this matrix (Machado, Oliveira, Fernandes 2009),
/// which acts on linear light.
fn distance(one: Color, other: Color, seen_as: [[f64; 3]; 3]) -> f64 {
    let lab = |colour: Color| {
        let Color::Rgb(r, g, b) = colour else {
            panic!("{colour:?} is the terminal's own");
        };
        let linear = [r, g, b].map(|channel| match f64::from(channel) / 255.0 {
            c if c <= 0.04045 => c / 12.92,
            c => ((c + 0.055) / 1.055).powf(2.4),
        });
        let dot = |row: [f64; 3], light: [f64; 3]| row.iter().zip(light).map(|(a, b)| a * b).sum::<f64>();
        let seen = seen_as.map(|row| dot(row, linear).clamp(0.0, 1.0));
        let [x, y, z] = [
            dot([0.4124, 0.3576, 0.1805], seen) / 0.95047,
            dot([0.2126, 0.7152, 0.0722], seen),
            dot([0.0193, 0.1192, 0.9505], seen) / 1.08883,
        ]
        .map(|t| {
            if t > 0.008856 {
                t.cbrt()
            } else {
                7.787 * t + 16.0 / 116.0
            }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    };
    let (one, other) = (lab(one), lab(other));
    one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

const PROTANOPIA: [[f64; 3]; 3] = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
];
const DEUTERANOPIA: [[f64; 3]; 3] = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
];

/// Two colours that are no farther apart are hard to tell from each other; the pairs of most other themes are.
const TOLD_APART: f64 = 20.0;

#[test]
fn high_contrast_is_told_apart_without_red_or_green_cones() {
    let mut theme = shipped("high-contrast").unwrap();
    let pairs = [
        ("waiting", "failed"),
        ("waiting", "running"),
        ("waiting", "idle"),
        ("waiting", "unseen"),
        ("failed", "running"),
        ("failed", "idle"),
        ("failed", "unseen"),
        ("running", "idle"),
        ("running", "unseen"),
        ("added", "removed"),
    ];
    for (kind, seen_as) in [("protanopia", PROTANOPIA), ("deuteranopia", DEUTERANOPIA)] {
        for (one, other) in pairs {
            let ink = [one, other].map(|name| theme.slot(name).unwrap().fg.unwrap());
            let far = distance(ink[0], ink[1], seen_as);
            assert!(far >= TOLD_APART, "{one} and {other} with {kind}: {far:.0}");
        }
    }
}
