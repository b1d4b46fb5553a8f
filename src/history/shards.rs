//! The index lies in two files, each of which is whole by itself: it holds its own chats, and how far they are in it. So
//! two threads write at once, and no kill leaves one file knowing of what is missing in the other.

use std::path::{Path, PathBuf};

use super::Error;
use super::database::{Database, IndexUse, remove};
use crate::model::ChatId;
use crate::model::history::HistoryPlace;

/// Below the home.
const FILES: [&str; SHARDS] = ["cache/history.db", "cache/history.db2"];

/// Two cores write them. With more, each search would look into more files.
const SHARDS: usize = 2;

/// Which of the files holds a chat.
pub(super) fn shard_of(chat: &ChatId) -> usize {
    chat.as_str().bytes().map(usize::from).sum::<usize>() % SHARDS
}

pub(super) fn paths(home: &Path) -> Vec<PathBuf> {
    FILES.iter().map(|file| home.join(file)).collect()
}

/// Whether a file of the cache is one of the index, or one that SQLite keeps beside it.
pub(super) fn is_part(name: &str) -> bool {
    FILES
        .iter()
        .any(|file| file.strip_prefix("cache/").is_some_and(|file| name.starts_with(file)))
}

/// All of them; none where one is not there to be read.
pub(super) fn open(paths: &[PathBuf], what_for: IndexUse) -> Result<Option<Vec<Database>>, Error> {
    paths.iter().map(|path| Database::open(path, what_for)).collect()
}

pub(super) fn remove_all(paths: &[PathBuf]) -> Result<(), Error> {
    paths.iter().try_for_each(|path| remove(path))
}

/// Where a row of a file stands in the order of all rows. Rows of one moment take turns.
pub(super) fn place(shard: usize, row: i64) -> HistoryPlace {
    HistoryPlace(row * SHARDS as i64 + shard as i64)
}

/// The first row of a file that does not stand before this place.
pub(super) fn row_at(place: HistoryPlace, shard: usize) -> i64 {
    let ahead = place.0 - shard as i64;
    ahead.div_euclid(SHARDS as i64) + i64::from(ahead.rem_euclid(SHARDS as i64) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_divides_the_rows_of_all_files() {
        for at in 0..10 {
            for shard in 0..SHARDS {
                let row = row_at(HistoryPlace(at), shard);
                assert!(
                    place(shard, row).0 >= at && place(shard, row - 1).0 < at,
                    "{at} {shard}"
                );
            }
        }
    }
}
