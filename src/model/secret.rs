//! Secrets in what is shown to others.

use super::text::mask_words;

/// How tokens begin that are known by it: of GitHub, GitLab, OpenAI, Anthropic, Slack, AWS, Google, npm and PyPI.
const BEGINNINGS: [&str; 17] = [
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "sk-",
    "xoxb-",
    "xoxp-",
    "xapp-",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29",
    "npm_",
    "pypi-",
];

/// Shorter words are no tokens.
const SHORTEST: usize = 16;

/// With what looks like a token left out: a long word of no language, or one that begins as tokens do. A commit's hash is
/// none.
pub fn without_secrets(text: &str) -> String {
    mask_words(text, |word| {
        let has = |kind: fn(&u8) -> bool| word.as_bytes().iter().any(kind);
        let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit);
        let begins = BEGINNINGS.iter().any(|begin| word.starts_with(begin));
        (word.len() >= SHORTEST && begins) || (word.len() >= 32 && is_mixed)
    })
}

#[cfg(test)]
mod tests {
    use super::without_secrets;

    #[test]
    fn tokens_go_and_hashes_and_names_stay() {
        let key = ["sk-", "ant-api03-0123456789abcdef"].concat();
        let mixed = "Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3A";
        let text = format!("use {key} or {mixed}, not (ghp_short)");
        assert_eq!(without_secrets(&text), "use ••• or •••, not (ghp_short)");
        let plain = "a86062135927a7c44fccc78fedf0ba10d54c906f4 in a_very_long_name_of_a_test_that_says_what_it_means";
        assert_eq!(without_secrets(plain), plain);
    }
}
