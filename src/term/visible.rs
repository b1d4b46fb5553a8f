//! Which characters may be kept of what a program wrote: those that a person sees.
//!
//! Control characters could become control sequences again; bidirectional and invisible ones make a text read
//! differently from what it is.

/// Whether `c` has no glyph of its own and changes how its neighbours are read.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// `bytes` as one line of visible text, cut at `limit` bytes. Line breaks and tabs become spaces.
pub(super) fn line(bytes: &[u8], limit: usize) -> String {
    let mut out = String::new();
    // Four times the limit is as far as hidden characters may hold up the visible ones: the input is hostile.
    for c in String::from_utf8_lossy(&bytes[..bytes.len().min(limit * 4)]).chars() {
        let c = if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c };
        if out.len() + c.len_utf8() > limit {
            break;
        }
        if !is_hidden(c) {
            out.push(c);
        }
    }
    out
}
