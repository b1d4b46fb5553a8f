//! The nouns as plain data: chat, project, entry, status, tool. No IO, no async, no clock.
