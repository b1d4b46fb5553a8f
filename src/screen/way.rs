//! Which way one goes through what stands in an order.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepWay {
    Forward,
    Back,
}
