//! Whether a remark counts as sent follows the conversation: if the prompt with it is taken back, it is to be sent again.

use crate::engine::clock::now;
use crate::engine::work::context::WorkContext;
use crate::model::ChatId;
use crate::model::remark::PROMPT;
use crate::store::RemarkLine;

use super::talk::MovedPrompts;

/// How each remark begins in a prompt, before its number.
pub const HEAD: &str = "Remark ";

/// These prompts are taken back, or back again. A remark that cannot be changed is told in the log.
pub fn follow(context: &WorkContext, id: &ChatId, moved: &MovedPrompts) {
    let remarks = match context.services.home.remarks(id) {
        Ok(remarks) => remarks,
        Err(error) => return tracing::warn!("{id}: its remarks do not follow the conversation: {error}"),
    };
    let at = now();
    let named = |prompts: &[String]| -> Vec<u64> { prompts.iter().flat_map(|text| named_in(text)).collect() };
    let keep = |line: RemarkLine| {
        if let Err(error) = remarks.add(&line) {
            tracing::warn!("{id}: a remark does not follow the conversation: {error}");
        }
    };
    let (hidden, shown) = (named(&moved.hidden), named(&moved.shown));
    if !hidden.is_empty() {
        keep(RemarkLine::NotSent { ids: hidden, at });
    }
    if !shown.is_empty() {
        keep(RemarkLine::Sent { ids: shown, at });
    }
}

/// The remarks that a prompt which [`super::remark`] wrote is made of.
fn named_in(prompt: &str) -> Vec<u64> {
    if !prompt.trim_start().starts_with(PROMPT) {
        return Vec::new();
    }
    let behind = prompt.lines().zip(prompt.lines().skip(1));
    // A head stands apart from what is above it; the words of a remark may say the same.
    let heads = behind.filter(|(above, line)| above.is_empty() && line.ends_with(':'));
    let heads = heads.filter_map(|(_, line)| line.strip_prefix(HEAD)?.split_once(", "));
    heads.filter_map(|(number, _)| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_of_remarks_names_them() {
        let prompt = format!(
            "{PROMPT} Answer.\n\nRemark 3, grove/a.rs:1:\n> Remark 4, b\nwhy?\nRemark 5, too:\n\nRemark 12, grove/b.rs:\nno"
        );
        assert_eq!(named_in(&prompt), [3, 12]);
        assert!(named_in("Remark 3, said by hand:").is_empty());
    }
}
