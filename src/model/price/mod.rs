//! What models cost: a person's prices, then the shipped ones. What has neither has no price, and none is guessed.

mod cost;
mod shipped;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::usage::TokenCount;

pub use cost::{Cost, dollars};
pub use shipped::DATED;

/// US dollars a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Price {
    pub input: f64,
    pub output: f64,
    pub cache_read: f64,
    pub cache_write: f64,
}

/// As it stands in `config.json`. What is read from a cache and written to one costs what other input costs, unless it is
/// said.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SpelledPrice {
    input: f64,
    output: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
}

impl Price {
    /// Why it is none is said in words that go on after its key.
    pub fn parse(value: &Value) -> Result<Price, String> {
        let spelled = SpelledPrice::deserialize(value).map_err(|error| {
            let said = error.to_string();
            format!(
                "{}, US dollars a million tokens",
                said.replace("expected f64", "expected a number")
            )
        })?;
        let price = Price {
            input: spelled.input,
            output: spelled.output,
            cache_read: spelled.cache_read.unwrap_or(spelled.input),
            cache_write: spelled.cache_write.unwrap_or(spelled.input),
        };
        let all = [price.input, price.output, price.cache_read, price.cache_write];
        match all.iter().all(|dollars| dollars.is_finite() && *dollars >= 0.0) {
            true => Ok(price),
            false => Err("a price is 0 or more US dollars a million tokens".into()),
        }
    }

    /// In US dollars.
    pub fn of(&self, tokens: TokenCount) -> f64 {
        let kinds = [
            (tokens.input, self.input),
            (tokens.output, self.output),
            (tokens.cache_read, self.cache_read),
            (tokens.cache_write, self.cache_write),
        ];
        #[expect(clippy::cast_precision_loss, reason = "a cost is shown in cents")]
        let sum: f64 = kinds.iter().map(|(count, price)| *count as f64 * price).sum();
        sum / 1e6
    }
}

/// A person's prices, by the name of a model or the beginning of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Prices(pub BTreeMap<String, Price>);

impl Prices {
    /// What is known of this model: the person's price of the longest name that it begins with, else the shipped one of
    /// exactly this model.
    pub fn of(&self, model: &str) -> Option<Price> {
        let named = self.0.iter().filter(|(name, _)| model.starts_with(name.as_str()));
        let longest = named.max_by_key(|(name, _)| name.len());
        longest.map(|(_, price)| *price).or_else(|| shipped(model))
    }
}

/// Prices that are none are left out: `config.json` says which, and the others hold.
impl<'de> Deserialize<'de> for Prices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Prices, D::Error> {
        let written = BTreeMap::<String, Value>::deserialize(deserializer)?;
        let usable = written
            .into_iter()
            .filter_map(|(name, value)| Some((name, Price::parse(&value).ok()?)));
        Ok(Prices(usable.collect()))
    }
}

fn shipped(model: &str) -> Option<Price> {
    let [input, output, cache_read, cache_write] = shipped::dollars(model)?;
    Some(Price {
        input,
        output,
        cache_read,
        cache_write,
    })
}

/// How many tokens a model's context holds, where that is known of exactly this model.
pub fn window(model: &str) -> Option<u64> {
    shipped::window(model)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn prices(value: Value) -> Prices {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn the_longest_name_of_a_persons_own_counts_before_the_shipped_ones() {
        let own = prices(
            json!({"claude-": {"input": 1, "output": 2}, "claude-opus": {"input": 7, "output": 8, "cacheRead": 0.5}}),
        );
        let input = |model: &str| own.of(model).map(|price| price.input);
        assert_eq!(input("claude-opus-4-5-20251101"), Some(7.0));
        assert_eq!(input("claude-sonnet-4-5"), Some(1.0));
        assert_eq!(input("gpt-5"), Some(1.25), "shipped");
        assert_eq!(own.of("claude-opus").unwrap().cache_read, 0.5);
        assert_eq!(own.of("claude-opus").unwrap().cache_write, 7.0, "as other input");
    }

    #[test]
    fn no_price_is_guessed() {
        let none = Prices::default();
        for known in [
            "claude-sonnet-4-5",
            "claude-sonnet-4-5-20250929",
            "anthropic/claude-sonnet-4-5",
            "gpt-5-2025-08-07",
            "gemini-2.5-pro",
            // What the CLIs begin with.
            "claude-sonnet-5",
            "claude-opus-4-8",
            "gpt-6.1-sol",
            "gpt-6.1-sol-2026-09-29",
            "gemini-3.1-pro-preview",
            "gemini-3.1-pro-preview-customtools",
            "gemini-3.8-flash",
            "opencode/big-pickle",
        ] {
            assert!(none.of(known).is_some(), "{known}");
        }
        for unknown in [
            "claude-sonnet-9",
            "gpt-5.99",
            "gpt-5-unheard",
            "stub-model",
            "",
            "claude-sonnet-4-5-fast",
        ] {
            assert!(none.of(unknown).is_none(), "{unknown}");
        }
    }

    #[test]
    fn what_is_no_price_is_left_out_and_the_others_hold() {
        let written = json!({"a": {"input": "three", "output": 1}, "b": {"input": -1, "output": 1}, "c": 4, "d": {"input": 1, "output": 1}});
        assert_eq!(prices(written.clone()).0.keys().collect::<Vec<_>>(), ["d"]);
        let why = |name: &str| Price::parse(&written[name]).unwrap_err();
        assert!(why("a").contains("expected a number"), "{}", why("a"));
        assert!(why("b").contains("0 or more"), "{}", why("b"));
    }

    #[test]
    fn a_cost_is_the_sum_over_its_kinds() {
        let price = Price {
            input: 3.0,
            output: 15.0,
            cache_read: 0.3,
            cache_write: 3.75,
        };
        let tokens = TokenCount {
            input: 1_000_000,
            output: 100_000,
            cache_read: 1_000_000,
            cache_write: 200_000,
        };
        assert!((price.of(tokens) - 5.55).abs() < 1e-9);
    }
}
