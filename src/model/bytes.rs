//! An amount of bytes for people.

const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];

/// Three digits and a unit, as in `3.4 MB`.
pub fn in_words(bytes: u64) -> String {
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut tenths = u128::from(bytes) * 10 / 1000;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1000;
        unit += 1;
    }
    match tenths {
        0..100 => format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit]),
        _ => format!("{} {}", tenths / 10, UNITS[unit]),
    }
}

/// `64 MiB`, `2 GB`: as few digits as say the amount to the byte, or nothing if that takes more than four.
pub fn exactly(bytes: u64) -> Option<String> {
    let sizes = [
        ("GiB", 1 << 30),
        ("GB", 1_000_000_000),
        ("MiB", 1 << 20),
        ("MB", 1_000_000),
        ("KiB", 1 << 10),
        ("kB", 1000),
    ];
    let (unit, size) = sizes
        .into_iter()
        .find(|(_, size)| bytes >= *size && bytes.is_multiple_of(*size))?;
    (bytes / size < 10_000).then(|| format!("{} {unit}", bytes / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_at_most_three_digits() {
        let sizes = [0, 999, 1000, 3456, 99_999, 999_999, 1_000_000, 3_400_000_000, u64::MAX];
        let words = [
            "0 B", "999 B", "1.0 kB", "3.4 kB", "99 kB", "999 kB", "1.0 MB", "3.4 GB", "18446 PB",
        ];
        assert_eq!(sizes.map(in_words), words);
    }

    #[test]
    fn a_round_size_is_told_to_the_byte() {
        let sizes = [512 << 20, 2_000_000_000, 1 << 30, 1500, 64_000, 3 << 10, 123_456_000, 0];
        let words = [
            Some("512 MiB"),
            Some("2 GB"),
            Some("1 GiB"),
            None,
            Some("64 kB"),
            Some("3 KiB"),
            None,
            None,
        ];
        assert_eq!(sizes.map(exactly), words.map(|words| words.map(String::from)));
    }
}
