//! The prices that parlour ships: the vendors' list prices of the day in [`DATED`]. A row holds for exactly the model that
//! it names, and for dated versions of it; a model of a later generation has its own price, or none here.

/// When the vendors' lists were read last.
pub const DATED: &str = "2026-11";

struct Shipped {
    model: &'static str,
    /// Input, output, read from the cache, written to the cache.
    dollars: [f64; 4],
    /// Tokens that its context holds.
    window: u64,
}

const fn row(model: &'static str, dollars: [f64; 4], window: u64) -> Shipped {
    Shipped { model, dollars, window }
}

/// Claude writes to its cache for five minutes at this price. Gemini's are those of prompts of up to 200,000 tokens, those
/// of GPT-6 of up to 272,000. `gemini-3.8-flash` costs twice as much from 2027 on.
const TABLE: &[Shipped] = &[
    row("claude-fable-5", [10.0, 50.0, 1.0, 12.5], 1_000_000),
    row("claude-opus-5-5", [4.0, 20.0, 0.2, 5.0], 1_000_000),
    row("claude-opus-5", [5.0, 25.0, 0.5, 6.25], 1_000_000),
    row("claude-opus-4-8", [5.0, 25.0, 0.5, 6.25], 1_000_000),
    row("claude-opus-4-6", [5.0, 25.0, 0.5, 6.25], 1_000_000),
    row("claude-opus-4-5", [5.0, 25.0, 0.5, 6.25], 200_000),
    row("claude-opus-4-1", [15.0, 75.0, 1.5, 18.75], 200_000),
    row("claude-opus-4-0", [15.0, 75.0, 1.5, 18.75], 200_000),
    row("claude-opus-4", [15.0, 75.0, 1.5, 18.75], 200_000),
    row("claude-sonnet-5-5", [2.0, 10.0, 0.2, 2.5], 1_000_000),
    row("claude-sonnet-5", [2.0, 10.0, 0.2, 2.5], 1_000_000),
    row("claude-sonnet-4-6", [3.0, 15.0, 0.3, 3.75], 1_000_000),
    row("claude-sonnet-4-5", [3.0, 15.0, 0.3, 3.75], 200_000),
    row("claude-sonnet-4-0", [3.0, 15.0, 0.3, 3.75], 200_000),
    row("claude-sonnet-4", [3.0, 15.0, 0.3, 3.75], 200_000),
    row("claude-haiku-4-5", [1.0, 5.0, 0.1, 1.25], 200_000),
    row("claude-3-7-sonnet", [3.0, 15.0, 0.3, 3.75], 200_000),
    row("claude-3-5-sonnet", [3.0, 15.0, 0.3, 3.75], 200_000),
    row("claude-3-5-haiku", [0.8, 4.0, 0.08, 1.0], 200_000),
    row("claude-3-opus", [15.0, 75.0, 1.5, 18.75], 200_000),
    row("claude-3-haiku", [0.25, 1.25, 0.03, 0.3], 200_000),
    row("gpt-6.1-sol", [2.0, 10.0, 0.1, 2.5], 1_050_000),
    row("gpt-6-sol", [2.0, 10.0, 0.2, 2.5], 1_050_000),
    row("gpt-6-astra", [10.0, 50.0, 1.0, 12.5], 1_050_000),
    row("gpt-6-luna", [0.1, 0.5, 0.01, 0.125], 1_050_000),
    row("gpt-5.2", [1.75, 14.0, 0.175, 1.75], 400_000),
    row("gpt-5.2-codex", [1.75, 14.0, 0.175, 1.75], 400_000),
    row("gpt-5.1", [1.25, 10.0, 0.125, 1.25], 400_000),
    row("gpt-5.1-codex", [1.25, 10.0, 0.125, 1.25], 400_000),
    row("gpt-5.1-codex-max", [1.25, 10.0, 0.125, 1.25], 400_000),
    row("gpt-5.1-codex-mini", [0.25, 2.0, 0.025, 0.25], 400_000),
    row("gpt-5", [1.25, 10.0, 0.125, 1.25], 400_000),
    row("gpt-5-codex", [1.25, 10.0, 0.125, 1.25], 400_000),
    row("gpt-5-mini", [0.25, 2.0, 0.025, 0.25], 400_000),
    row("gpt-5-nano", [0.05, 0.4, 0.005, 0.05], 400_000),
    row("gpt-4.1", [2.0, 8.0, 0.5, 2.0], 1_047_576),
    row("gpt-4.1-mini", [0.4, 1.6, 0.1, 0.4], 1_047_576),
    row("gpt-4.1-nano", [0.1, 0.4, 0.025, 0.1], 1_047_576),
    row("gpt-4o", [2.5, 10.0, 1.25, 2.5], 128_000),
    row("gpt-4o-mini", [0.15, 0.6, 0.075, 0.15], 128_000),
    row("o3", [2.0, 8.0, 0.5, 2.0], 200_000),
    row("o4-mini", [1.1, 4.4, 0.275, 1.1], 200_000),
    row("gemini-3.8-flash", [0.75, 3.75, 0.075, 0.75], 1_048_576),
    row("gemini-3.5-flash", [1.5, 9.0, 0.15, 1.5], 1_048_576),
    row("gemini-3.5-flash-lite", [0.3, 2.5, 0.03, 0.3], 1_048_576),
    row("gemini-3.1-pro-preview", [2.0, 12.0, 0.2, 2.0], 1_048_576),
    row("gemini-3.1-pro-preview-customtools", [2.0, 12.0, 0.2, 2.0], 1_048_576),
    row("gemini-3-pro-preview", [2.0, 12.0, 0.2, 2.0], 1_048_576),
    row("gemini-3-flash-preview", [0.5, 3.0, 0.05, 0.5], 1_048_576),
    row("gemini-2.5-pro", [1.25, 10.0, 0.125, 1.25], 1_048_576),
    row("gemini-2.5-flash", [0.3, 2.5, 0.03, 0.3], 1_048_576),
    row("gemini-2.5-flash-lite", [0.1, 0.4, 0.01, 0.1], 1_048_576),
    row("gemini-2.0-flash", [0.1, 0.4, 0.025, 0.1], 1_048_576),
    // What OpenCode begins with where nobody is logged in.
    row("big-pickle", [0.0, 0.0, 0.0, 0.0], 200_000),
];

/// Input, output, read from the cache, written to the cache.
pub(super) fn dollars(model: &str) -> Option<[f64; 4]> {
    find(model).map(|row| row.dollars)
}

pub(super) fn window(model: &str) -> Option<u64> {
    find(model).map(|row| row.window)
}

fn find(model: &str) -> Option<&'static Shipped> {
    let name = model.rsplit_once('/').map_or(model, |(_, name)| name);
    TABLE.iter().find(|row| {
        name.strip_prefix(row.model)
            .is_some_and(|rest| rest.is_empty() || is_date(rest))
    })
}

/// `-20250929`, `-2025-08-07`: the same model, as it was released then; `-latest`: whichever is the newest.
fn is_date(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix(['-', '@']) else {
        return false;
    };
    let digits = rest.chars().filter(char::is_ascii_digit).count();
    rest == "latest" || digits == 8 && rest.chars().all(|c| c.is_ascii_digit() || c == '-')
}
