//! Secrets in what is shown to others: what looks like a token, and what stands where secrets stand.
//!
//! A name beside a value tells more than the value's form, so most rules read both. Each of them reads a text once: nothing
//! here gets slower than the text is long. Masking a word too many hides a word; one too few hands out a key.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::text::mask_words;

pub mod known;
#[cfg(test)]
mod tests;

/// Stands in place of a secret.
pub const MASK: &str = "•••";

/// How tokens begin that are known by it.
const BEGINNINGS: &[&str] = &[
    // GitHub, GitLab
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    // OpenAI, Anthropic and others that host models
    "sk-",
    "hf_",
    "gsk_",
    "xai-",
    "nvapi-",
    // Slack
    "xoxa-",
    "xoxb-",
    "xoxp-",
    "xoxr-",
    "xoxs-",
    "xapp-",
    // AWS, Google
    "AKIA",
    "ASIA",
    "AIza",
    "ya29",
    "GOCSPX-",
    // Registries
    "npm_",
    "pypi-",
    "dckr_pat_",
    // Stripe
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "rk_test_",
    "whsec_",
    // DigitalOcean, Shopify, Linear, Notion, Figma, Grafana, Sentry, Tailscale, age
    "dop_v1_",
    "shpat_",
    "shpss_",
    "lin_api_",
    "ntn_",
    "figd_",
    "glsa_",
    "sntrys_",
    "tskey-",
    "AGE-SECRET-KEY-",
    // What is JSON in base64: the head of a JSON Web Token
    "eyJ",
];

/// Shorter words are no tokens.
const SHORTEST: usize = 16;

/// Names of what holds a secret, as they end. Nobody writes a number or a type behind those of the first kind.
const PASSWORDS: &str = r"passw(?:or)?d|passphrase|(?:(?-u:\b)|_)pass|_pwd|secret";
const TOKENS: &str = concat!(
    r"token|api[_-]?key|(?:access|account|secret|private|signing|encryption|shared)[_-]?(?:access[_-]?)?key",
    r"|credentials?|(?:(?-u:\b)|_)auth|(?-i:[A-Z0-9]_KEY)"
);

/// How much a value must look like a secret where a rule finds it.
#[derive(Clone, Copy)]
enum SecretDoubt {
    /// Whatever stands there.
    None,
    /// What is no type, no variable and no path.
    Little,
    /// What also has the form of a token.
    Much,
}

struct SecretRule {
    pattern: Regex,
    doubt: SecretDoubt,
}

impl SecretRule {
    fn new(pattern: &str, doubt: SecretDoubt) -> SecretRule {
        let pattern = Regex::new(pattern).expect("it is a pattern");
        SecretRule { pattern, doubt }
    }

    /// A name, a sign between them, and a value with or without quotes.
    fn named(names: &str, doubt: SecretDoubt) -> SecretRule {
        let sign = r#"[\\"'`*\]]{0,4}[ \t]*(?:=>|:=|[:=])\**[ \t]*"#;
        SecretRule::new(&format!("(?i)(?:{names}){sign}{VALUE}"), doubt)
    }
}

const VALUE: &str =
    r#"(?:\\?"(?P<double>[^"\\\r\n]+)|'(?P<single>[^'\r\n]+)|`(?P<code>[^`\r\n]+)|(?P<bare>[^\s"'`,;<>|&]+))"#;

/// The names of a value's groups.
const GROUPS: [&str; 5] = ["value", "double", "single", "code", "bare"];

/// Letters and digits are ASCII's, as those of secrets are: with all scripts in each class these patterns took megabytes
/// and most of an engine's start.
static RULES: LazyLock<Vec<SecretRule>> = LazyLock::new(|| {
    let option = format!(r"(?i)--[a-z0-9-]*(?:password|passwd|passphrase|secret)[ \t]+{VALUE}");
    let token_option = format!(r"(?i)--[a-z0-9-]*(?:token|api-?key|access-?key)[ \t]+{VALUE}");
    vec![
        // A private key, then one that was cut before its end.
        SecretRule::new(
            r"(?s)(?P<value>-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?-----END [A-Z0-9 ]*-----)",
            SecretDoubt::None,
        ),
        SecretRule::new(
            r"(?P<value>-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\[nrt])*[A-Za-z0-9+/=]{16,})*)",
            SecretDoubt::None,
        ),
        // Logins in addresses.
        SecretRule::new(r#"://[^\s/:@"'`<>]*:(?P<value>[^\s/"'`<>]+)@"#, SecretDoubt::Little),
        SecretRule::new(
            r"https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks)/(?P<value>[0-9A-Za-z_/-]+)",
            SecretDoubt::None,
        ),
        // Headers.
        SecretRule::new(
            r#"(?i)(?-u:\b)authorization[\\"']*[ \t]*[:=][ \t\\"']*(?:bearer|basic|token|digest|negotiate|apikey)[ \t]+(?P<value>[^\s"'`\\,;<>]{6,})"#,
            SecretDoubt::Little,
        ),
        SecretRule::new(
            r#"(?i)(?-u:\b)authorization[\\"']*[ \t]*[:=][ \t\\"']*(?P<value>[^\s"'`\\,;<>]+)"#,
            SecretDoubt::Much,
        ),
        SecretRule::new(
            r"(?i)(?-u:\b)bearer[ \t]+(?P<value>[0-9A-Za-z_.~+/=-]{8,})",
            SecretDoubt::Much,
        ),
        SecretRule::new(
            r#"(?i)(?-u:\b)cookie[\\"']*[ \t]*[:=][ \t\\"']*(?P<value>[^\s=;,"']+=[^\r\n"']+)"#,
            SecretDoubt::None,
        ),
        // Programs.
        SecretRule::new(&option, SecretDoubt::Little),
        SecretRule::new(&token_option, SecretDoubt::Much),
        SecretRule::new(
            r#"(?m)(?:^|\s)(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'=/]+:(?P<value>[^\s"'\\]+)"#,
            SecretDoubt::Little,
        ),
        SecretRule::new(
            r#"(?-u:\b)(?:mysql|mariadb|mongo)[0-9A-Za-z_]*(?-u:\b)[^\n|;&]*?\s-p(?P<value>[^\s"']{3,})"#,
            SecretDoubt::Little,
        ),
        SecretRule::new(
            r#"(?-u:\b)sshpass\s+-p\s*["']?(?P<value>[^\s"']+)"#,
            SecretDoubt::Little,
        ),
        SecretRule::new(
            r"(?-u:\b)(?:machine\s+\S+|default)\s+(?:login\s+\S+\s+)?password\s+(?P<value>\S+)",
            SecretDoubt::None,
        ),
        SecretRule::named(PASSWORDS, SecretDoubt::Little),
        SecretRule::named(TOKENS, SecretDoubt::Much),
        // Tokens of several parts: JSON Web Tokens, SendGrid, Vault, Telegram.
        SecretRule::new(
            r"(?-u:\b)(?P<value>eyJ[0-9A-Za-z_-]{10,}(?:\.[0-9A-Za-z_-]+){1,4})",
            SecretDoubt::None,
        ),
        SecretRule::new(
            r"(?-u:\b)(?P<value>(?:SG|hvs|hvb)\.[0-9A-Za-z_.-]{16,})",
            SecretDoubt::None,
        ),
        SecretRule::new(
            r"(?-u:\b)(?P<value>[0-9]{8,10}:AA[0-9A-Za-z_-]{33})(?-u:\b)",
            SecretDoubt::None,
        ),
    ]
});

static NAME_OF_PASSWORD: LazyLock<Regex> = LazyLock::new(|| ending(&format!("{PASSWORDS}|authorization|cookie")));
static NAME_OF_TOKEN: LazyLock<Regex> = LazyLock::new(|| ending(TOKENS));

fn ending(names: &str) -> Regex {
    Regex::new(&format!("(?i)(?:{names})$")).expect("it is a pattern")
}

/// With what looks like a secret left out: by where it stands, as a long word of no language, or because it begins as
/// tokens do. A commit's hash is none.
pub fn without_secrets(text: &str) -> String {
    let mut shown = Cow::Borrowed(text);
    for rule in RULES.iter() {
        if let Cow::Owned(masked) = rule
            .pattern
            .replace_all(&shown, |found: &Captures| masked(found, rule.doubt))
        {
            shown = Cow::Owned(masked);
        }
    }
    mask_words(&shown, |word| {
        let has = |kind: fn(&u8) -> bool| word.as_bytes().iter().any(kind);
        let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit);
        let begins = BEGINNINGS.iter().any(|begin| word.starts_with(begin));
        (word.len() >= SHORTEST && begins) || (word.len() >= 32 && is_mixed)
    })
}

/// Whether the value of a field is secret by the field's name.
pub fn is_secret_field(name: &str, value: &str) -> bool {
    let is_held = |doubt| is_secret(value, doubt, ValueQuotes::Some);
    (NAME_OF_PASSWORD.is_match(name) && is_held(SecretDoubt::Little))
        || (NAME_OF_TOKEN.is_match(name) && is_held(SecretDoubt::Much))
}

/// What a rule found, with its value left out if that is secret.
fn masked(found: &Captures, doubt: SecretDoubt) -> String {
    let whole = found.get_match();
    let Some((group, value)) = GROUPS.iter().find_map(|group| Some((*group, found.name(group)?))) else {
        return whole.as_str().into();
    };
    let (quotes, closing) = match group {
        "bare" => (ValueQuotes::None, &[')', ']', '}', '.'][..]),
        _ => (ValueQuotes::Some, &[][..]),
    };
    let secret = value.as_str().trim_end_matches(closing);
    // A call has its end among what is left out.
    let is_masked =
        !(matches!(quotes, ValueQuotes::None) && value.as_str().contains('(')) && is_secret(secret, doubt, quotes);
    match is_masked {
        true => {
            let start = value.start() - whole.start();
            let (before, after) = (&whole.as_str()[..start], &whole.as_str()[start + secret.len()..]);
            format!("{before}{MASK}{after}")
        }
        false => whole.as_str().into(),
    }
}

#[derive(Clone, Copy)]
enum ValueQuotes {
    Some,
    None,
}

fn is_secret(value: &str, doubt: SecretDoubt, quotes: ValueQuotes) -> bool {
    let has = |kind: fn(char) -> bool| value.contains(kind);
    let has_digit = has(|c| c.is_ascii_digit());
    let stands_for_other = match quotes {
        ValueQuotes::Some => is_stand_in(value),
        ValueQuotes::None => is_stand_in(value) || is_expression(value),
    };
    match doubt {
        SecretDoubt::None => true,
        SecretDoubt::Little => value.len() >= 3 && !stands_for_other && !value.chars().all(|c| c.is_ascii_digit()),
        SecretDoubt::Much => {
            let is_mixed = has(|c| c.is_ascii_lowercase()) && has(|c| c.is_ascii_uppercase());
            let is_token = (value.len() >= 8 && has_digit) || (value.len() >= 20 && is_mixed);
            is_token && !stands_for_other && !has(char::is_whitespace)
        }
    }
}

/// Words of languages and forms that stand where a secret would.
const STAND_INS: &[&str] = &[
    "any",
    "bool",
    "boolean",
    "bytes",
    "empty",
    "false",
    "hidden",
    "masked",
    "missing",
    "nil",
    "none",
    "null",
    "number",
    "object",
    "option",
    "optional",
    "redacted",
    "required",
    "str",
    "string",
    "text",
    "true",
    "undefined",
    "unknown",
    "varchar",
    "void",
];

/// A variable, a place for a value, a path, a type, or what is masked already.
fn is_stand_in(value: &str) -> bool {
    let begins = ["$", "<", "{", "[", "(", "%", "*", "•", "/", "./", "../", "~", "=", ">"];
    begins.iter().any(|begin| value.starts_with(begin))
        || value.contains(MASK)
        || STAND_INS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// What code has there: a call, an element, a path of names, a constant's name.
fn is_expression(value: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    let is_constant = value.contains('_') && value.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let are_names = value.contains('.') && value.split('.').all(is_name);
    value.contains(['(', '[']) || value.contains("::") || is_constant || are_names
}
