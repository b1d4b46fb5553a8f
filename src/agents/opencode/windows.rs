//! How much the models hold that the CLI can ask: its server says it of each.

use std::collections::HashMap;

use serde_json::Value;

use super::part::text_of;

/// Where it says that.
pub(super) const PROVIDERS: &str = "/config/providers";

/// In tokens, by provider and model.
#[derive(Default)]
pub(super) struct ModelWindows(HashMap<(String, String), u64>);

impl ModelWindows {
    pub(super) fn read(&mut self, answer: &Value) {
        for provider in answer["providers"].as_array().into_iter().flatten() {
            for (model, known) in provider["models"].as_object().into_iter().flatten() {
                if let Some(window) = known["limit"]["context"].as_u64().filter(|window| *window > 0) {
                    self.0.insert((text_of(&provider["id"]), model.clone()), window);
                }
            }
        }
    }

    /// Of the model that wrote this message.
    pub(super) fn of(&self, message: &Value) -> Option<u64> {
        let by = (text_of(&message["providerID"]), text_of(&message["modelID"]));
        self.0.get(&by).copied()
    }
}
