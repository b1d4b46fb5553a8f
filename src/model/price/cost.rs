//! What usage costs, as far as prices are known.

use super::Prices;
use crate::model::usage::ByModel;

/// The cost of some usage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// US dollars, of all that has a price.
    pub known: f64,
    /// Tokens that have none.
    pub unpriced: u64,
    /// Tokens that have one.
    pub priced: u64,
}

impl Cost {
    pub fn of(used: &ByModel, prices: &Prices) -> Cost {
        let mut cost = Cost::default();
        for (model, spent) in &used.0 {
            let (all, untold) = (spent.tokens.total(), spent.untold.total());
            cost.known += spent.told;
            match prices.of(model) {
                _ if untold == 0 => cost.priced += all,
                Some(price) => {
                    cost.known += price.of(spent.untold);
                    cost.priced += all;
                }
                None => {
                    cost.priced += all - untold.min(all);
                    cost.unpriced += untold;
                }
            }
        }
        cost
    }

    /// `$0.03`; `$0.03+` where some of it has no price; `price unknown` where nothing has one.
    pub fn words(&self) -> String {
        match (self.priced, self.unpriced) {
            (0, 1..) => "price unknown".into(),
            (_, 0) => dollars(self.known),
            (_, _) => format!("{}+", dollars(self.known)),
        }
    }
}

/// To the cent; smaller sums to two digits of what they are.
pub fn dollars(sum: f64) -> String {
    match sum {
        sum if sum <= 0.0 => "$0.00".into(),
        sum if sum < 0.0001 => "<$0.0001".into(),
        sum if sum < 0.01 => format!("${sum:.4}"),
        sum => format!("${sum:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::usage::{Spent, TokenCount};

    fn used(all: &[(&str, u64, f64)]) -> ByModel {
        let mut used = ByModel::default();
        for (model, input, told) in all {
            let tokens = TokenCount {
                input: *input,
                ..TokenCount::default()
            };
            let untold = if *told > 0.0 { TokenCount::default() } else { tokens };
            let spent = Spent {
                tokens,
                told: *told,
                untold,
            };
            used.add(model, spent);
        }
        used
    }

    #[test]
    fn a_cost_says_what_it_does_not_know() {
        let words = |all: &[(&str, u64, f64)]| Cost::of(&used(all), &Prices::default()).words();
        assert_eq!(words(&[("gpt-5", 1_000_000, 0.0)]), "$1.25");
        assert_eq!(words(&[("gpt-5", 1_000_000, 0.0), ("stub", 5, 0.0)]), "$1.25+");
        assert_eq!(words(&[("stub", 5, 0.0)]), "price unknown");
        assert_eq!(words(&[("stub", 5, 0.2)]), "$0.20", "its CLI told");
        assert_eq!(words(&[]), "$0.00");
        assert_eq!(words(&[("gpt-5", 1_000, 0.0)]), "$0.0013");
    }
}
