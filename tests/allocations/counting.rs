//! An allocator that counts what each thread asks of it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figure {
    /// How often memory was asked for, or more of it.
    pub allocations: u64,
    pub bytes: u64,
}

thread_local! {
    static ASKED: Cell<Figure> = const { Cell::new(Figure { allocations: 0, bytes: 0 }) };
}

pub struct Counting;

// SAFETY: all is handed on to the system's allocator as it came; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller keeps what `GlobalAlloc` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size.saturating_sub(layout.size()));
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

fn note(bytes: usize) {
    // A thread that ends counts no more.
    let _ = ASKED.try_with(|asked| {
        let Figure {
            allocations,
            bytes: before,
        } = asked.get();
        asked.set(Figure {
            allocations: allocations + 1,
            bytes: before + bytes as u64,
        });
    });
}

/// What this thread asks for while it does something.
pub fn counted<T>(what: impl FnOnce() -> T) -> Figure {
    let before = ASKED.with(Cell::get);
    black_box(what());
    let after = ASKED.with(Cell::get);
    Figure {
        allocations: after.allocations - before.allocations,
        bytes: after.bytes - before.bytes,
    }
}
