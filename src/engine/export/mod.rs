//! A chat's transcript as a text to keep or to hand on, as Markdown, HTML or JSON.
//!
//! [`talk`] reads it as turns, in which [`safe`] has masked secrets and made visible what would deceive a reader; `html`,
//! `markdown` and `json` write it.

mod html;
mod json;
mod markdown;
mod safe;
mod talk;
#[cfg(test)]
mod tests;

use crate::config;
use crate::model::ChatId;
use crate::model::export::ExportFormat;
use crate::store::{Error, Home};
use safe::Secrets;
use talk::ExportedTalk;

/// All of a file.
pub struct ExportedText {
    pub text: String,
    pub turns: usize,
}

/// What the person's variables and saved setup files name as secret is masked too.
pub fn write(
    home: &Home,
    chat: &ChatId,
    format: ExportFormat,
    variables: impl Iterator<Item = (String, String)>,
) -> Result<ExportedText, Error> {
    let settings = config::load(&home.config())
        .map(|loaded| loaded.settings)
        .unwrap_or_default();
    let secrets = Secrets::known(&settings, variables, home.saved_secrets());
    let talk = ExportedTalk::read(home, chat, &secrets, settings.prices)?;
    let zone = config::zone();
    let text = match format {
        ExportFormat::Md => markdown::write(&talk, zone),
        ExportFormat::Html => html::write(&talk, zone),
        ExportFormat::Json => json::write(&talk),
    };
    Ok(ExportedText {
        text,
        turns: talk.turn_count(),
    })
}
