//! Paths in JSON, also those that are no UTF-8: a file may have any name, and none may keep parlour from telling of it.
//!
//! Where it must, a path is quoted as git quotes it: `"caf\351"`. Read again, it is the same to the byte.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serializer};

pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&quoted(path))
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(unquoted(&String::deserialize(deserializer)?))
}

/// For a path that may be missing.
pub mod option {
    use super::*;

    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        match path {
            Some(path) => serializer.serialize_some(&quoted(path)),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        Ok(text.map(|text| unquoted(&text)))
    }
}

/// For several.
pub mod list {
    use super::*;

    pub fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| quoted(path)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        Ok(texts.iter().map(|text| unquoted(text)).collect())
    }
}

fn quoted(path: &Path) -> String {
    match path.to_str() {
        Some(text) if !text.starts_with('"') => return text.to_owned(),
        Some(_) | None => {}
    }
    let mut text = String::from("\"");
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        for letter in chunk.valid().chars() {
            if matches!(letter, '"' | '\\') {
                text.push('\\');
            }
            text.push(letter);
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\{byte:03o}"));
        }
    }
    text.push('"');
    text
}

fn unquoted(text: &str) -> PathBuf {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let read = inner.and_then(read);
    read.map_or_else(|| PathBuf::from(text), |bytes| PathBuf::from(OsString::from_vec(bytes)))
}

/// None of what nobody wrote so.
fn read(inner: &str) -> Option<Vec<u8>> {
    let mut path = Vec::new();
    let mut bytes = inner.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return None,
            b'\\' => match bytes.next()? {
                escaped @ (b'"' | b'\\') => path.push(escaped),
                first @ b'0'..=b'3' => {
                    let digits = [first, bytes.next()?, bytes.next()?];
                    path.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 8).ok()?);
                }
                _ => return None,
            },
            _ => path.push(byte),
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_what_is_no_text_is_quoted() {
        let of = |bytes: &[u8]| quoted(Path::new(std::ffi::OsStr::from_bytes(bytes)));
        assert_eq!(of("src/caf\u{e9}.rs".as_bytes()), "src/caf\u{e9}.rs");
        assert_eq!(of(b"caf\xe9 \\ \"x\""), r#""caf\351 \\ \"x\"""#);
        assert_eq!(unquoted("\"not closed"), Path::new("\"not closed"));
    }

    proptest! {
        #[test]
        fn every_path_is_the_same_when_it_is_read_again(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let path = PathBuf::from(OsString::from_vec(bytes));
            prop_assert_eq!(unquoted(&quoted(&path)), path);
        }
    }
}
