//! Finds the lines of a remark again after the file has changed: the right line, or none.
//!
//! Numbers alone are never trusted. The lines must be there as they were. Where that says too little (a brace, a blank
//! line, a block that was copied), what stands around them decides, and above all the nearest lines that the file has only
//! once: a copy elsewhere does not lie between them. What is still not certain is outdated.

use std::collections::HashMap;
use std::ops::Range;

use crate::model::remark::Anchor;

const CONTEXT: usize = 3;

/// Remembers `count` lines of a file from `first` on, from 1. None where the file has no such lines.
pub fn anchor(lines: &[&str], first: u32, count: u32) -> Option<Anchor> {
    let start = (first as usize).checked_sub(1)?;
    let end = start.checked_add(count as usize)?;
    let wanted = lines.get(start..end).filter(|wanted| !wanted.is_empty())?;
    let once = once(lines);
    let is_landmark = |line: &&&str| !line.trim().is_empty() && once.contains_key(**line);
    let above = lines[..start].iter().rev().find(is_landmark);
    let below = lines[end..].iter().find(is_landmark);
    let place = |landmark: Option<&&str>| landmark.and_then(|line| once.get(*line).copied());
    let between = place(above).map_or(0, |at| at + 1)..place(below).unwrap_or(lines.len());
    let same = matches(lines, wanted, &between);
    let own = |lines: &[&str]| -> Vec<String> { lines.iter().map(|line| (*line).to_owned()).collect() };
    Some(Anchor {
        lines: own(wanted),
        before: own(&lines[start.saturating_sub(CONTEXT)..start]),
        after: own(&lines[end..lines.len().min(end + CONTEXT)]),
        line: first,
        above: above.map(|line| (*line).to_owned()),
        below: below.map(|line| (*line).to_owned()),
        count: u32::try_from(same.len()).ok()?,
        ordinal: u32::try_from(same.iter().position(|at| *at == start)?).ok()?,
    })
}

/// The first of the anchor's lines in the file as it is now, from 1.
pub fn place(anchor: &Anchor, lines: &[&str]) -> Option<u32> {
    let once = once(lines);
    // A landmark that is there twice was copied, and with it perhaps what it stands beside.
    let landmark = |line: &Option<String>| -> Result<Option<usize>, Ambiguous> {
        let Some(line) = line else {
            return Ok(None);
        };
        match once.get(line.as_str()) {
            Some(at) => Ok(Some(*at)),
            None if lines.contains(&line.as_str()) => Err(Ambiguous),
            None => Ok(None),
        }
    };
    let (above, below) = (landmark(&anchor.above).ok()?, landmark(&anchor.below).ok()?);
    let between = above.map_or(0, |at| at + 1)..below.unwrap_or(lines.len());
    let wanted: Vec<&str> = anchor.lines.iter().map(String::as_str).collect();
    if between.end < between.start + wanted.len() {
        return None;
    }
    let near = matches(lines, &wanted, &between);
    let is_whole = above.is_some() == anchor.above.is_some() && below.is_some() == anchor.below.is_some();
    let found = match is_whole {
        true => surrounded(anchor, lines, &near),
        false => alone(anchor, lines, &near, &wanted),
    };
    u32::try_from(found? + 1).ok()
}

/// It is not certain which one is meant.
struct Ambiguous;

/// Both landmarks are where they were: as many such lines as before are the same ones.
fn surrounded(anchor: &Anchor, lines: &[&str], near: &[usize]) -> Option<usize> {
    let likeness = |at: usize| likeness(anchor, lines, at);
    if near.len() == anchor.count as usize {
        let at = *near.get(anchor.ordinal as usize)?;
        let is_best = near.iter().all(|other| *other == at || likeness(*other) < likeness(at));
        let is_only = near.len() == 1;
        let is_certain = likeness(at) > 0 || (is_only && was_all(anchor, lines));
        return ((is_only || is_best) && is_certain).then_some(at);
    }
    unmistakable(anchor, lines, near)
}

/// The lines were the whole file, so nothing stood around them that could bear them out. They are that still, or they say
/// more than a brace does.
fn was_all(anchor: &Anchor, lines: &[&str]) -> bool {
    let is_still = lines.len() == anchor.lines.len();
    let says_something = |line: &String| line.chars().any(char::is_alphanumeric);
    anchor.before.is_empty() && anchor.after.is_empty() && (is_still || anchor.lines.iter().any(says_something))
}

/// A landmark is gone: the line must be the only one of its kind in the whole file.
fn alone(anchor: &Anchor, lines: &[&str], near: &[usize], wanted: &[&str]) -> Option<usize> {
    let all = matches(lines, wanted, &(0..lines.len()));
    match near {
        [at] if all.len() == 1 && anchor.count == 1 && likeness(anchor, lines, *at) > 0 => Some(*at),
        _ => unmistakable(anchor, lines, &all),
    }
}

/// All that stood around it is there, the ends of the file too, and nothing of it around any other.
fn unmistakable(anchor: &Anchor, lines: &[&str], candidates: &[usize]) -> Option<usize> {
    let whole = anchor.before.len() + anchor.after.len();
    let mut like = candidates.iter().filter(|at| likeness(anchor, lines, **at) > 0);
    let at = *like.next()?;
    let is_whole = whole > 0 && likeness(anchor, lines, at) == whole && stands_at_the_same_ends(anchor, lines, at);
    (like.next().is_none() && is_whole).then_some(at)
}

/// Where the context was cut short by the beginning or the end of the file, it is so here too.
fn stands_at_the_same_ends(anchor: &Anchor, lines: &[&str], at: usize) -> bool {
    let behind = lines.len() - (at + anchor.lines.len());
    let begins = anchor.before.len() == CONTEXT || anchor.before.len() == at;
    let ends = anchor.after.len() == CONTEXT || anchor.after.len() == behind;
    begins && ends
}

/// How many lines of context are there, counted from the anchor outwards.
fn likeness(anchor: &Anchor, lines: &[&str], at: usize) -> usize {
    let end = at + anchor.lines.len();
    let before = anchor.before.iter().rev().zip(lines[..at].iter().rev());
    let after = anchor.after.iter().zip(&lines[end..]);
    let is_same = |(wanted, line): &(&String, &&str)| wanted.as_str() == **line;
    before.take_while(is_same).count() + after.take_while(is_same).count()
}

fn matches(lines: &[&str], wanted: &[&str], between: &Range<usize>) -> Vec<usize> {
    let part = lines.get(between.clone()).unwrap_or_default();
    let found = part.windows(wanted.len()).enumerate();
    let found = found.filter(|(_, window)| *window == wanted);
    found.map(|(at, _)| between.start + at).collect()
}

/// The lines that a file has only once, with where they are.
fn once<'a>(lines: &[&'a str]) -> HashMap<&'a str, usize> {
    let mut places: HashMap<&str, Option<usize>> = HashMap::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        places.entry(line).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places
        .into_iter()
        .filter_map(|(line, place)| Some((line, place?)))
        .collect()
}

#[cfg(test)]
mod tests;
