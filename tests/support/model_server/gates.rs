//! Gates hold a reply until the test opens them, and tell the test when a reply stands before one.

use std::collections::BTreeSet;

use tokio::sync::watch;

#[derive(Default)]
pub struct Gates(watch::Sender<Known>);

#[derive(Default)]
struct Known {
    reached: BTreeSet<String>,
    open: BTreeSet<String>,
}

impl Gates {
    /// An open gate stays open.
    pub fn open(&self, name: &str) {
        self.0.send_modify(|known| _ = known.open.insert(name.into()));
    }

    pub async fn pass(&self, name: &str) {
        self.0.send_modify(|known| _ = known.reached.insert(name.into()));
        self.until(|known| known.open.contains(name)).await;
    }

    pub async fn reached(&self, name: &str) {
        self.until(|known| known.reached.contains(name)).await;
    }

    async fn until(&self, holds: impl FnMut(&Known) -> bool) {
        let mut known = self.0.subscribe();
        known.wait_for(holds).await.expect("the sender lives in self");
    }
}
