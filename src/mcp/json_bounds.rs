//! How deep a message nests and how many values it has, from the brackets and commas outside strings.
//!
//! It reads along with the body: a bomb is refused at the piece it goes off in, and nothing is built to find out.

use super::McpLimits;

/// What has been seen so far, and how much may be.
#[derive(Clone)]
pub(super) struct Measure {
    most_depth: usize,
    most_values: usize,
    depth: usize,
    values: usize,
    in_string: bool,
    escaped: bool,
}

impl Measure {
    pub fn new(limits: &McpLimits) -> Measure {
        Measure {
            most_depth: limits.depth,
            most_values: limits.values,
            depth: 0,
            values: 0,
            in_string: false,
            escaped: false,
        }
    }

    /// The next piece; an error says what there is too much of.
    pub fn add(&mut self, piece: &[u8]) -> Result<(), String> {
        for byte in piece {
            if self.in_string {
                self.in_string = self.escaped || *byte != b'"';
                self.escaped = !self.escaped && *byte == b'\\';
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'[' | b'{' => {
                    self.depth += 1;
                    self.values += 1;
                }
                b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                b',' => self.values += 1,
                _ => {}
            }
            if self.depth > self.most_depth {
                return Err(format!("nested deeper than {}", self.most_depth));
            }
            if self.values > self.most_values {
                return Err(format!("more than {} values", self.most_values));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(pieces: &[&str]) -> Result<(), String> {
        let mut measure = Measure::new(&McpLimits {
            depth: 2,
            values: 4,
            ..McpLimits::default()
        });
        pieces.iter().try_for_each(|piece| measure.add(piece.as_bytes()))
    }

    #[test]
    fn depth_and_values_end_where_they_are_said_to() {
        assert_eq!(measured(&["[[],[]]"]), Ok(()));
        assert_eq!(measured(&["[[", "["]), Err("nested deeper than 2".into()));
        assert_eq!(measured(&["[0,0,0,", "0,0]"]), Err("more than 4 values".into()));
    }

    #[test]
    fn what_stands_in_a_string_does_not_count_even_across_pieces() {
        assert_eq!(measured(&["[\"[[[,,,,", "\\", "\"[[[\"", ",1]"]), Ok(()));
        assert!(measured(&["[\"\\\\\"", "[["]).is_err());
    }
}
