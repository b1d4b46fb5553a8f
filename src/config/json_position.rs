//! Where in a JSON text a key's value stands, so that a value which parses but makes no sense is said with its line.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Line and column, from 1, of the end of the value at `path`; `None` where there is no such value.
pub(super) fn spot(text: &str, path: &[&str]) -> Option<(usize, usize)> {
    let mut json = serde_json::Deserializer::from_str(text);
    let stopped = SpotPath(path).deserialize(&mut json).err()?;
    stopped.is_data().then(|| (stopped.line(), stopped.column()))
}

/// Walks down the path and fails at its end: the parser then says where it was.
struct SpotPath<'p>(&'p [&'p str]);

impl<'de> DeserializeSeed<'de> for SpotPath<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        match self.0 {
            [] => json.deserialize_any(SpotEnd),
            _ => json.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for SpotPath<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match self.0.split_first() {
                Some((first, rest)) if *first == key => map.next_value_seed(SpotPath(rest))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Some((Ok(wanted), rest)) = self.0.split_first().map(|(first, rest)| (first.parse::<usize>(), rest)) else {
            return Err(A::Error::custom("a list has numbers, not names"));
        };
        for _ in 0..wanted {
            list.next_element::<IgnoredAny>()?;
        }
        list.next_element_seed(SpotPath(rest))?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

struct SpotEnd;

impl<'de> Visitor<'de> for SpotEnd {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("something else")
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(A::Error::custom("here"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(A::Error::custom("here"))
    }
}
