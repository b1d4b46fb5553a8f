//! What was found, as JSON and in words.

use std::path::Path;

use serde::Serialize;

use crate::cli::output::{OutputLook, OutputTone};
use crate::model::text::visible;

/// One thing that was found, with where it is and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub what: String,
    #[serde(rename = "where")]
    pub place: String,
    pub hint: String,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct DoctorReport {
    /// What should be put right.
    pub problems: Vec<Finding>,
    /// What is worth knowing and may well stay as it is.
    pub remarks: Vec<Finding>,
    /// What was removed, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<String>,
}

impl DoctorReport {
    pub fn problem(&mut self, what: impl Into<String>, place: &Path, hint: impl Into<String>) {
        self.problems.push(finding(what, place, hint));
    }

    pub fn remark(&mut self, what: impl Into<String>, place: &Path, hint: impl Into<String>) {
        self.remarks.push(finding(what, place, hint));
    }

    pub fn words(&self, look: &OutputLook) -> String {
        let mut words = String::new();
        for fixed in &self.fixed {
            words += &format!("{} removed {}\n", look.paint(OutputTone::Good, "✓"), visible(fixed));
        }
        for problem in &self.problems {
            words += &paragraph(&look.paint(OutputTone::Bad, "✗"), problem);
        }
        for remark in &self.remarks {
            words += &paragraph(&look.paint(OutputTone::Quiet, "·"), remark);
        }
        words += &match self.problems.len() {
            0 => look.paint(OutputTone::Good, "all well"),
            1 => "1 problem".into(),
            many => format!("{many} problems"),
        };
        words + "\n"
    }
}

fn finding(what: impl Into<String>, place: &Path, hint: impl Into<String>) -> Finding {
    Finding {
        what: what.into(),
        place: place.display().to_string(),
        hint: hint.into(),
    }
}

fn paragraph(sign: &str, finding: &Finding) -> String {
    let mut words = format!("{sign} {}\n", visible(&finding.what));
    for more in [&finding.place, &finding.hint] {
        if !more.is_empty() {
            words += &format!("  {}\n", visible(more));
        }
    }
    words
}
