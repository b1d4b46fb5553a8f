//! `--dir [LABEL:]PATH_OR_URL[:ro|:rw]`: how a person names a directory, its label and its mode in one word.

use crate::model::AreaMode;
use crate::model::open_dir::OpenDir;

pub fn dir_spec(text: &str) -> Result<OpenDir, String> {
    let (rest, mode) = match text.rsplit_once(':') {
        Some((rest, "ro")) => (rest, Some(AreaMode::Ro)),
        Some((rest, "rw")) => (rest, Some(AreaMode::Rw)),
        Some((rest, odd)) if is_meant_as_mode(rest, odd) => {
            return Err(format!("`{odd}` is no mode; it is ro, to read alone, or rw"));
        }
        Some(_) | None => (text, None),
    };
    let (label, path_or_url) = match rest.split_once(':') {
        Some((label, after)) if is_label(label) && !after.starts_with("//") => (Some(label), after),
        Some((odd, after)) if is_meant_as_label(odd) && !after.starts_with("//") => {
            return Err(format!(
                "`{odd}` is no label, which is of a-z, 0-9 and -; a path with a colon is written ./{rest}"
            ));
        }
        Some(_) | None => (None, rest),
    };
    if path_or_url.is_empty() {
        return Err("it names no path or URL; write it like docs:~/src/docs:ro".into());
    }
    Ok(OpenDir {
        label: label.map(str::to_owned),
        path_or_url: path_or_url.to_owned(),
        mode,
        ..OpenDir::default()
    })
}

fn is_label(text: &str) -> bool {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !text.is_empty() && text.bytes().all(fits)
}

/// A slip in a mode. What could be the path on a host is one: `git@host:r`.
fn is_meant_as_mode(rest: &str, text: &str) -> bool {
    let modes = [
        "ro",
        "rw",
        "wr",
        "or",
        "r",
        "w",
        "x",
        "rx",
        "wx",
        "rwx",
        "wo",
        "read",
        "write",
        "readonly",
        "read-only",
    ];
    let is_host = rest.contains('@') && !rest.contains('/');
    !is_host && modes.contains(&text.to_ascii_lowercase().as_str())
}

/// A slip in a label: no beginning of a path, and no host.
fn is_meant_as_label(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', '@', '.', '~', '\\', '['])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spec(label: Option<&str>, path_or_url: &str, mode: Option<AreaMode>) -> OpenDir {
        OpenDir {
            label: label.map(String::from),
            path_or_url: path_or_url.into(),
            mode,
            ..OpenDir::default()
        }
    }

    #[test]
    fn a_label_and_a_mode_are_told_from_what_merely_looks_like_one() {
        for (text, expected) in [
            (".", spec(None, ".", None)),
            ("/src/grove:ro", spec(None, "/src/grove", Some(AreaMode::Ro))),
            ("api:/src/grove:rw", spec(Some("api"), "/src/grove", Some(AreaMode::Rw))),
            ("https://h/x", spec(None, "https://h/x", None)),
            ("https://h:80/x:ro", spec(None, "https://h:80/x", Some(AreaMode::Ro))),
            (
                "docs:https://h/x:ro",
                spec(Some("docs"), "https://h/x", Some(AreaMode::Ro)),
            ),
            ("git@h:o/r.git", spec(None, "git@h:o/r.git", None)),
            ("a-1:git@h:o/r:ro", spec(Some("a-1"), "git@h:o/r", Some(AreaMode::Ro))),
            ("./odd:name", spec(None, "./odd:name", None)),
            ("x:ro:rw", spec(Some("x"), "ro", Some(AreaMode::Rw))),
            ("git@h:r", spec(None, "git@h:r", None)),
            ("grove:ro", spec(None, "grove", Some(AreaMode::Ro))),
        ] {
            assert_eq!(dir_spec(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_names_nothing_is_refused() {
        for text in ["", ":ro", "api:", "api::ro"] {
            assert!(dir_spec(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_slip_in_a_mode_or_a_label_is_said_and_not_taken_for_a_path() {
        for (text, why) in [
            ("/src/grove:rx", "`rx` is no mode; it is ro, to read alone, or rw"),
            ("grove:RO", "`RO` is no mode; it is ro, to read alone, or rw"),
            (
                "My Label:/src",
                "`My Label` is no label, which is of a-z, 0-9 and -; a path with a colon is written ./My Label:/src",
            ),
        ] {
            assert_eq!(dir_spec(text), Err(why.into()));
        }
    }

    proptest! {
        #[test]
        fn what_was_written_in_parts_is_read_as_those_parts(
            label in proptest::option::of("[a-z0-9-]{1,12}"),
            path in "/[^:]{0,20}|https://[a-z.]{1,9}(:[0-9]{1,4})?/[a-z/]{0,9}",
            mode in proptest::option::of(prop_oneof![Just(AreaMode::Ro), Just(AreaMode::Rw)]),
        ) {
            // A path of two slashes behind a label reads as a URL's scheme.
            prop_assume!(!path.starts_with("//"));
            let mut text = String::new();
            for part in label.iter() {
                text += &format!("{part}:");
            }
            text += &path;
            for part in mode.iter() {
                text += &format!(":{}", part.word());
            }
            prop_assert_eq!(dir_spec(&text), Ok(spec(label.as_deref(), &path, mode)));
        }

        #[test]
        fn no_text_is_lost_or_made_up(text in "\\PC{0,30}") {
            if let Ok(read) = dir_spec(&text) {
                prop_assert!(text.contains(&read.path_or_url));
                let label = read.label.map_or(String::new(), |label| format!("{label}:"));
                let mode = read.mode.map_or(String::new(), |mode| format!(":{}", mode.word()));
                prop_assert_eq!(format!("{label}{}{mode}", read.path_or_url), text);
            }
        }
    }
}
