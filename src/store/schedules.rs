//! Schedules: a file each, read one by one, so that a damaged one hides no other and is left as it is.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::home::if_there;
use super::{Error, Home};
use crate::model::open_dir::OpenDir;
use crate::model::schedule::Change;
use crate::model::{Schedule, ScheduleId};

/// A hundred runs and the longest prompt are far below it.
const LARGEST: u64 = 4 << 20;

impl Home {
    /// Every schedule; of a file that cannot be read, why.
    pub fn schedules(&self) -> Result<BTreeMap<ScheduleId, Result<Schedule, String>>, Error> {
        let entries = if_there(self.dir.entries("schedules"))?.unwrap_or_default();
        let names = entries
            .iter()
            .filter_map(|entry| entry.name.to_str()?.strip_suffix(".json"));
        let read = |id: ScheduleId| {
            let read = self.schedule(&id);
            (id, read)
        };
        Ok(names.filter_map(ScheduleId::parse).map(read).collect())
    }

    /// Keeps a new schedule. It is safe on disk on return.
    pub fn make_schedule(&self, schedule: &Schedule) -> Result<(), Error> {
        self.writable()?;
        let _records = self.lock();
        if self.dir.metadata(file(&schedule.id))?.is_some() {
            return Err(Error::Exists(self.path().join(file(&schedule.id))));
        }
        self.write_schedule(schedule)
    }

    /// Changes a schedule as it is on disk at this moment. It is safe on disk on return.
    pub fn change_schedule(&self, id: &ScheduleId, change: Change) -> Result<Schedule, Error> {
        self.writable()?;
        let _records = self.lock();
        let mut schedule = self.schedule(id).map_err(|why| Error::Damaged {
            path: self.path().join(file(id)),
            why,
        })?;
        schedule.apply(change);
        self.write_schedule(&schedule)?;
        Ok(schedule)
    }

    /// The project of a schedule, where it can be read and has one.
    pub fn project_of(&self, id: &ScheduleId) -> Option<OpenDir> {
        self.schedule(id).ok()?.terms.project
    }

    pub fn remove_schedule(&self, id: &ScheduleId) -> Result<(), Error> {
        self.writable()?;
        let _records = self.lock();
        Ok(self.dir.remove_for_good(file(id))?)
    }

    fn schedule(&self, id: &ScheduleId) -> Result<Schedule, String> {
        match self.dir.read(file(id), LARGEST) {
            Ok(Some(bytes)) => Schedule::parse(id, &bytes),
            Ok(None) => Err("it is gone".into()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn write_schedule(&self, schedule: &Schedule) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(schedule).expect("a schedule has only text keys");
        Ok(self.dir.write_atomic(file(&schedule.id), format!("{text}\n"))?)
    }
}

fn file(id: &ScheduleId) -> PathBuf {
    PathBuf::from("schedules").join(format!("{id}.json"))
}
