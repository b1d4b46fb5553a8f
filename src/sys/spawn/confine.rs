//! Landlock: this process, and all that it starts, writes beneath a few paths alone, whatever its own rights are.
//!
//! The supervisor confines itself before it starts the agent, so nothing is left to do between fork and exec. Reading and
//! running are not held in. What the kernel knows of it counts: an older one lets files be truncated or devices be
//! controlled that newer ones guard.

use std::io;

use super::order::Writable;

/// Whether the kernel can do it; if not, why, for a person.
pub fn available() -> Result<(), String> {
    kernel::available()
}

/// Holds this process in for good. A path that is not there grants nothing.
pub(super) fn enter(writable: &Writable) -> io::Result<()> {
    kernel::enter(writable)
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::ffi::{OsStr, OsString};
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::{Component, Path};

    use landlock::{
        ABI, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetStatus,
    };

    use rustix::fs::{Mode, OFlags};

    use super::Writable;

    /// The newest whose rights on files are known to us.
    const KNOWN: ABI = ABI::V5;

    pub fn available() -> Result<(), String> {
        let least = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_write(ABI::V1))
            .and_then(|rules| rules.create());
        match least {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("the kernel has no Landlock, or it is switched off: {error}")),
        }
    }

    pub fn enter(writable: &Writable) -> io::Result<()> {
        let all = AccessFs::from_write(KNOWN);
        let mut rules = Ruleset::default()
            .handle_access(all)
            .and_then(|rules| rules.create())
            .map_err(io::Error::other)?;
        let devices = AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
        let dirs = AccessFs::MakeDir | AccessFs::RemoveDir;
        let own = writable.paths.iter().map(|path| (path.as_os_str(), all));
        let locks = writable.locks.iter().map(|path| (path.as_os_str(), dirs));
        for (path, access) in own
            .chain(locks)
            .chain([(OsStr::new("/dev"), devices), (OsStr::new("/dev/shm"), all)])
        {
            let Ok(metadata) = std::fs::metadata(path) else {
                continue;
            };
            let access: BitFlags<AccessFs> = match metadata.is_dir() {
                true => access,
                false => access & AccessFs::from_file(KNOWN),
            };
            let place = PathFd::new(path).map_err(io::Error::other)?;
            rules = rules
                .add_rule(PathBeneath::new(place, access))
                .map_err(io::Error::other)?;
        }
        for path in &writable.unlinked {
            let Ok(place) = open_unlinked(path) else {
                continue;
            };
            rules = rules.add_rule(PathBeneath::new(place, all)).map_err(io::Error::other)?;
        }
        let status = rules.restrict_self().map_err(io::Error::other)?;
        match status.ruleset {
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
            RulesetStatus::NotEnforced => Err(io::Error::other("the kernel took no part of the sandbox")),
        }
    }

    /// A directory as the path names it: by then a part of it may have become a link to anywhere.
    fn open_unlinked(path: &OsString) -> io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut at = rustix::fs::open("/", flags, Mode::empty())?;
        for part in Path::new(path).components() {
            match part {
                Component::Normal(name) => at = rustix::fs::openat(&at, name, flags, Mode::empty())?,
                Component::RootDir | Component::CurDir => {}
                Component::ParentDir | Component::Prefix(_) => return Err(io::ErrorKind::InvalidInput.into()),
            }
        }
        Ok(at)
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    use std::io;

    use super::Writable;

    pub fn available() -> Result<(), String> {
        Err("there is no Landlock on this system".into())
    }

    pub fn enter(_writable: &Writable) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
