//! JSON of which little is of use: what is asked for is read, and all else skipped unread.
//!
//! Most of a transcript's bytes are of no use to us, and making a tree of them takes several times as long as all the
//! rest. Nothing is believed to have any form: what has another one than is asked for counts as absent.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// A value that may be there, as it was written.
pub(super) type Raw<'a> = Option<&'a RawValue>;

/// An object with the fields that are asked for.
pub(super) fn object<'a, T: Deserialize<'a> + Default>(raw: Raw<'a>) -> T {
    let object = raw.filter(|raw| raw.get().starts_with('{'));
    object
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

/// A list, where it is one of what is asked for.
pub(super) fn list<'a, T: Deserialize<'a>>(raw: Raw<'a>) -> Option<Vec<T>> {
    let list = raw.filter(|raw| raw.get().starts_with('['))?;
    serde_json::from_str(list.get()).ok()
}

/// An object on the way to what is asked for; empty where it is none.
#[derive(Default)]
pub(super) struct Object<T>(pub T);

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Object<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        deserializer.deserialize_any(Loose(PhantomData)).map(Object)
    }
}

struct Loose<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for Loose<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<T, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(T::default())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        Ok(T::default())
    }
}

/// A text. CLIs cut texts in the middle of a character, which leaves a half that is none.
pub(super) fn text(raw: Raw) -> Option<String> {
    let Text(text) = serde_json::from_str(raw?.get()).ok()?;
    Some(text)
}

pub(super) fn count(raw: Raw) -> Option<u64> {
    raw?.get().parse().ok()
}

pub(super) fn is_true(raw: Raw) -> bool {
    raw.is_some_and(|raw| raw.get() == "true")
}

/// The tree of all of it; what holds half a character, or is deeper than anybody reads, stays as it was written.
pub(super) fn tree(raw: Raw) -> Value {
    raw.map_or(Value::Null, |raw| {
        serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().into())
    })
}

struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        deserializer.deserialize_bytes(Lossy)
    }
}

struct Lossy;

impl Visitor<'_> for Lossy {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text(text.into()))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text, E> {
        Ok(Text(String::from_utf8_lossy(bytes).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> &RawValue {
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn what_has_another_form_is_absent() {
        for other in ["null", "1.5", "true", "[1]", "{\"a\":1}"] {
            assert_eq!(text(Some(raw(other))), None, "{other}");
        }
        assert_eq!(count(Some(raw("\"1\""))), None);
        assert_eq!(count(Some(raw("-1"))), None);
        assert!(list::<&RawValue>(Some(raw("\"a\""))).is_none());
        assert!(!is_true(Some(raw("\"true\""))));
    }

    #[test]
    fn half_a_character_costs_no_more_than_itself() {
        assert_eq!(
            text(Some(raw(r#""a\ud83d b\n""#))).as_deref(),
            Some("a\u{fffd}\u{fffd}\u{fffd} b\n")
        );
        assert_eq!(tree(Some(raw(r#"{"command":"\ud83d"}"#))), r#"{"command":"\ud83d"}"#);
    }
}
