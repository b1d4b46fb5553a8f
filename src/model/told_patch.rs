//! A patch as git writes it, in an answer that is text.

use std::borrow::Cow;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

/// Of files that are not all UTF-8 the bytes are told too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToldPatch {
    /// What is no UTF-8 is replaced.
    #[serde(rename = "patch", default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The whole patch byte by byte, where the text is not that.
    #[serde(rename = "patch_base64", default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

impl ToldPatch {
    pub fn of(bytes: &[u8]) -> ToldPatch {
        let text = String::from_utf8_lossy(bytes);
        let base64 = matches!(text, Cow::Owned(_)).then(|| BASE64.encode(bytes));
        ToldPatch {
            text: text.into_owned(),
            base64,
        }
    }

    /// As git wrote it.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        let whole = self
            .base64
            .as_ref()
            .and_then(|base64| BASE64.decode(base64.as_bytes()).ok());
        whole.map_or(Cow::Borrowed(self.text.as_bytes()), Cow::Owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_comes_back_byte_by_byte() {
        for bytes in [b"+caf\xe9\r\n".as_slice(), b"+\x1b[31m\x0c\r\n", b""] {
            let told = serde_json::to_string(&ToldPatch::of(bytes)).unwrap();
            let read: ToldPatch = serde_json::from_str(&told).unwrap();
            assert_eq!(*read.bytes(), *bytes, "{told}");
        }
    }
}
