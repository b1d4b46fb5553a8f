//! An object that lies in a file by itself, read piece by piece. A file that is cut off or changed ends in an error, or
//! short of its size.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::ZlibDecoder;

/// The longest kind and size that an object begins with.
const HEAD: u64 = 64;

pub(super) struct LooseObject {
    /// As it says itself.
    pub size: u64,
    content: BufReader<ZlibDecoder<BufReader<File>>>,
}

impl LooseObject {
    pub fn open(file: File) -> io::Result<LooseObject> {
        let mut content = BufReader::new(ZlibDecoder::new(BufReader::new(file)));
        let mut head = Vec::new();
        content.by_ref().take(HEAD).read_until(0, &mut head)?;
        let size = std::str::from_utf8(&head).ok();
        let size = size.and_then(|head| head.strip_suffix('\0')?.split_once(' ')?.1.parse().ok());
        match size {
            Some(size) => Ok(LooseObject { size, content }),
            None => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Hands all of it on, or fails.
    pub fn copy_to(mut self, to: &mut dyn io::Write) -> io::Result<()> {
        match io::copy(&mut self.content, to)? == self.size {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_is_never_taken_for_whole() {
        let folder = tempfile::tempdir().unwrap();
        let repository = git2::Repository::init_bare(folder.path()).unwrap();
        let content: Vec<u8> = (0..=255)
            .cycle()
            .map(|byte: u8| byte.wrapping_mul(31))
            .take(9_000)
            .collect();
        let id = repository.blob(&content).unwrap().to_string();
        let path = folder.path().join("objects").join(&id[..2]).join(&id[2..]);
        let read = |path: &std::path::Path| {
            let mut read = Vec::new();
            LooseObject::open(File::open(path)?)?.copy_to(&mut read).map(|()| read)
        };
        assert_eq!(read(&path).unwrap(), content);
        let stored = std::fs::read(&path).unwrap();
        let cut = folder.path().join("cut");
        for length in [0, 1, 10, stored.len() / 2, stored.len() - 1] {
            std::fs::write(&cut, &stored[..length]).unwrap();
            assert!(read(&cut).is_err(), "{length} bytes of {}", stored.len());
        }
    }
}
