//! The demo agent: a small scripted agent, plainly marked, that goes the way a real one goes.
//!
//! It makes parlour whole on a machine without any agent CLI. `adapter` starts it as parlour starts any agent.

mod adapter;

pub use adapter::Demo;
