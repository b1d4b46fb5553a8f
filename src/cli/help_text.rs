//! What stands below the options in the help of each verb, laid out for terminals of 80 columns and more.

use clap::Command;

/// Beyond it the remark behind an example goes onto a line of its own.
const WIDE: usize = 80;
/// A line of the source that ends before this column ends its paragraph.
const FULL: usize = 90;
/// Between an example and the remark behind it.
const GAP: &str = "  ";

/// With the text of each verb laid out.
pub fn laid_out(command: Command) -> Command {
    let text = command.get_after_help().map(|text| laid(&text.to_string()));
    let command = match text {
        Some(text) => command.after_help(text),
        None => command,
    };
    command.mut_subcommands(laid_out)
}

/// Paragraphs as one line each, which clap breaks where the terminal ends; examples as they are.
fn laid(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_full = false;
    for line in text.lines() {
        let is_words = !line.is_empty() && !line.starts_with(' ');
        match lines.last_mut().filter(|_| is_full && is_words) {
            Some(paragraph) => {
                paragraph.push(' ');
                paragraph.push_str(line);
            }
            None if is_words => lines.push(line.to_owned()),
            None => lines.extend(example(line)),
        }
        is_full = is_words && line.chars().count() >= FULL;
    }
    lines.join("\n")
}

fn example(line: &str) -> Vec<String> {
    let words = line.trim_start();
    let remark = words.split_once(GAP).filter(|_| line.chars().count() > WIDE);
    match remark {
        Some((call, remark)) => vec![format!("  {call}"), format!("      {}", remark.trim_start())],
        None => vec![line.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_one_line_and_a_long_example_has_its_remark_below() {
        let long = "a".repeat(FULL);
        let text = format!("Examples:\n  parlour list\n  parlour x      {long}\n\n{long}\nends.\nThe next one.");
        let told = format!("Examples:\n  parlour list\n  parlour x\n      {long}\n\n{long} ends.\nThe next one.");
        assert_eq!(laid(&text), told);
    }
}
