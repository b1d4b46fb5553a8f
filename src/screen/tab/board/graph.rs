//! The graph as a picture: atoms in layers from left to right, each behind all that it needs, and wires between them.
//!
//! A wire that passes a layer has a place of its own there, so no wire runs through an atom. What one atom is needed for
//! leaves it on one wire; wires of different atoms run up and down on different tracks.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::layout::Rect;

use super::cards::{self, AtomLook, look};
use super::state::{body, label};
use crate::model::atom::{AtomKey, Graph};
use crate::screen::State;
use crate::screen::view::View;
use crate::screen::wrap::width;

/// Cells of the longest name.
const LONGEST: usize = 24;
/// Rounds in which layers are sorted by where their neighbours are.
const ROUNDS: usize = 4;

pub const NORTH: u8 = 1;
pub const EAST: u8 = 2;
pub const SOUTH: u8 = 4;
pub const WEST: u8 = 8;
/// The end of a wire, at what needs the atom.
pub const TIP: u8 = 16;

#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub width: usize,
    pub height: usize,
    pub nodes: Vec<Node>,
    pub wires: BTreeMap<(usize, usize), Wire>,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub key: AtomKey,
    pub label: String,
    pub look: AtomLook,
    pub x: usize,
    pub y: usize,
    pub width: usize,
    /// What it needs and what needs it, as far as that is drawn.
    pub before: Vec<AtomKey>,
    pub behind: Vec<AtomKey>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wire {
    /// In which directions it goes on from this cell.
    pub arms: u8,
    /// It is one of the selected atom.
    pub lit: bool,
}

/// A place in a layer: of an atom, or of a wire that passes.
struct Slot {
    /// The atom, or the one that the wire comes from.
    of: usize,
    passes: bool,
    /// The atoms that are reached through it.
    ends: BTreeSet<usize>,
    /// Slots of the next layer.
    next: Vec<usize>,
    y: usize,
}

/// Where the picture is drawn: the last row tells of the selected atom.
pub fn place(state: &State, view: &View) -> Rect {
    let area = body(state, view);
    Rect {
        height: area.height.saturating_sub(2),
        ..area
    }
}

pub fn draw(graph: &Graph, selected: Option<&AtomKey>) -> Drawing {
    let layers = layers(graph);
    let keys: Vec<AtomKey> = layers.iter().flatten().cloned().collect();
    let mut slots = slots(graph, &layers, &keys);
    sort(&mut slots);
    give_rows(&mut slots);
    let labels: Vec<String> = keys.iter().map(|key| label(graph, key)).collect();
    let wide = |at: usize| 2 + width(&labels[at]).min(LONGEST);
    let selected = selected.and_then(|key| keys.iter().position(|known| known == key));
    let mut drawing = Drawing::default();
    let mut x = 0;
    let mut height = 0;
    for at in 0..slots.len() {
        let here = &slots[at];
        let nodes = here.iter().filter(|slot| !slot.passes);
        let layer_width = nodes.map(|slot| wide(slot.of)).max().unwrap_or(0);
        for slot in here {
            height = height.max(slot.y + 1);
            if let (false, Some(atom)) = (slot.passes, graph.get(&keys[slot.of])) {
                drawing.nodes.push(Node {
                    key: keys[slot.of].clone(),
                    label: labels[slot.of].clone(),
                    look: look(graph, &keys[slot.of], atom),
                    x,
                    y: slot.y,
                    width: wide(slot.of),
                    before: Vec::new(),
                    behind: slot.ends.iter().map(|end| keys[*end].clone()).collect(),
                });
            }
        }
        let end = x + layer_width;
        let Some(next) = slots.get(at + 1) else {
            x = end;
            break;
        };
        let (tracks, count) = tracks(here, next);
        let start = end + count + 5;
        for (slot, track) in here.iter().zip(tracks) {
            let from = if slot.passes { x } else { x + wide(slot.of) + 1 };
            for target in slot.next.iter().map(|at| &next[*at]) {
                let lit = selected.is_some_and(|selected| slot.of == selected || target.ends.contains(&selected))
                    || (!target.passes && selected == Some(target.of));
                let way = Way {
                    from: (from, slot.y),
                    bend: end + 2 + track,
                    // A wire that passes is taken on by the next layer from its left edge.
                    to: (if target.passes { start } else { start - 2 }, target.y),
                    tip: !target.passes,
                    lit,
                };
                drawing.wire(&way);
            }
        }
        x = start;
    }
    (drawing.width, drawing.height) = (x, height);
    let mut before: BTreeMap<AtomKey, Vec<AtomKey>> = BTreeMap::new();
    for node in &drawing.nodes {
        for user in &node.behind {
            before.entry(user.clone()).or_default().push(node.key.clone());
        }
    }
    for node in &mut drawing.nodes {
        node.before = before.remove(&node.key).unwrap_or_default();
    }
    drawing
}

/// The layers, and in each the atoms as they stand on the board.
fn layers(graph: &Graph) -> Vec<Vec<AtomKey>> {
    let board = cards::sorted(graph);
    let places: BTreeMap<&AtomKey, usize> = board.iter().flatten().zip(0..).collect();
    let mut layers = graph.layers();
    for layer in &mut layers {
        layer.sort_by_key(|key| places.get(key).copied());
    }
    layers
}

/// Places by layer. A need that does not lead from an earlier layer closes a circle, and is not drawn.
fn slots(graph: &Graph, layers: &[Vec<AtomKey>], keys: &[AtomKey]) -> Vec<Vec<Slot>> {
    let slot = |of: usize, passes: bool| Slot {
        of,
        passes,
        ends: BTreeSet::new(),
        next: Vec::new(),
        y: 0,
    };
    let number: BTreeMap<&AtomKey, usize> = keys.iter().enumerate().map(|(at, key)| (key, at)).collect();
    let mut slots: Vec<Vec<Slot>> = Vec::new();
    let mut home = vec![(0, 0); keys.len()];
    let mut count = 0;
    for (layer, atoms) in layers.iter().enumerate() {
        let of_layer = atoms.iter().enumerate().map(|(at, _)| {
            home[count] = (layer, at);
            count += 1;
            slot(count - 1, false)
        });
        slots.push(of_layer.collect());
    }
    for (user, key) in keys.iter().enumerate() {
        let needs = graph.get(key).map(|atom| atom.needs.as_slice()).unwrap_or_default();
        let needs = needs.iter().map(|need| AtomKey::of_need(&key.molecule, need));
        let needs: BTreeSet<usize> = needs.filter_map(|need| number.get(&need).copied()).collect();
        for need in needs.into_iter().filter(|need| home[*need].0 < home[user].0) {
            let (mut layer, mut at) = home[need];
            slots[layer][at].ends.insert(user);
            while layer + 1 < home[user].0 {
                let passing = |slot: &Slot| slot.passes && slot.of == need;
                let next = match slots[layer + 1].iter().position(passing) {
                    Some(next) => next,
                    None => {
                        slots[layer + 1].push(slot(need, true));
                        slots[layer + 1].len() - 1
                    }
                };
                join(&mut slots[layer][at], next);
                (layer, at) = (layer + 1, next);
                slots[layer][at].ends.insert(user);
            }
            join(&mut slots[layer][at], home[user].1);
        }
    }
    slots
}

fn join(slot: &mut Slot, next: usize) {
    if !slot.next.contains(&next) {
        slot.next.push(next);
    }
}

/// Sorts each layer by where its neighbours are on the average, forth and back. Atoms keep their order, that of the board:
/// only wires that pass move among them.
fn sort(slots: &mut [Vec<Slot>]) {
    for round in 0..ROUNDS {
        for step in 1..slots.len() {
            let at = if round % 2 == 0 { step } else { slots.len() - 1 - step };
            let neighbours = |place: usize| -> Vec<usize> {
                match round % 2 {
                    0 => {
                        let before = slots[at - 1].iter().enumerate();
                        let joined = before.filter(|(_, slot)| slot.next.contains(&place));
                        joined.map(|(before, _)| before).collect()
                    }
                    _ => slots[at][place].next.clone(),
                }
            };
            let weight = |place: usize| {
                let near = neighbours(place);
                match near.is_empty() {
                    true => place * 1000,
                    false => near.iter().sum::<usize>() * 1000 / near.len(),
                }
            };
            let mut order: Vec<usize> = (0..slots[at].len()).collect();
            let weights: Vec<usize> = order.iter().map(|place| weight(*place)).collect();
            order.sort_by_key(|place| weights[*place]);
            let mut atoms = (0..slots[at].len()).filter(|place| !slots[at][*place].passes);
            for place in &mut order {
                if !slots[at][*place].passes {
                    *place = atoms.next().unwrap_or(*place);
                }
            }
            reorder(slots, at, &order);
        }
    }
}

fn reorder(slots: &mut [Vec<Slot>], at: usize, order: &[usize]) {
    let mut place = vec![0; order.len()];
    for (now, before) in order.iter().enumerate() {
        place[*before] = now;
    }
    let mut old: Vec<Option<Slot>> = std::mem::take(&mut slots[at]).into_iter().map(Some).collect();
    slots[at] = order.iter().filter_map(|before| old[*before].take()).collect();
    if let Some(before) = at.checked_sub(1) {
        for slot in &mut slots[before] {
            slot.next.iter_mut().for_each(|next| *next = place[*next]);
        }
    }
}

/// Each slot as near to what leads to it as the ones above leave room for.
fn give_rows(slots: &mut [Vec<Slot>]) {
    for at in 0..slots.len() {
        let mut free = 0;
        for place in 0..slots[at].len() {
            let before = at.checked_sub(1).map(|before| &slots[before]);
            let leading: Vec<usize> = before
                .into_iter()
                .flatten()
                .filter(|slot| slot.next.contains(&place))
                .map(|slot| slot.y)
                .collect();
            let wished = match leading.is_empty() {
                true => free,
                false => leading.iter().sum::<usize>() / leading.len(),
            };
            let y = wished.max(free);
            slots[at][place].y = y;
            let both = slots[at].get(place + 1).is_some_and(|next| !next.passes) && !slots[at][place].passes;
            free = y + if both { 2 } else { 1 };
        }
    }
}

/// The track on which each slot's wire goes up and down on its way to the next layer, and how many there are.
fn tracks(here: &[Slot], next: &[Slot]) -> (Vec<usize>, usize) {
    let span = |slot: &Slot| {
        let rows = slot.next.iter().map(|at| next[*at].y).chain([slot.y]);
        (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0))
    };
    let bends = |slot: &Slot| span(slot).0 != span(slot).1;
    // A wire that ends on the row where another one begins has to come down behind that one's own bend.
    let rows: BTreeMap<usize, usize> = here.iter().enumerate().map(|(at, slot)| (slot.y, at)).collect();
    let waits_for = |slot: &Slot| -> Vec<usize> {
        let begins = slot.next.iter().filter_map(|at| Some((*at, *rows.get(&next[*at].y)?)));
        let others = begins.filter(|(at, other)| here[*other].of != slot.of && !here[*other].next.contains(at));
        others
            .map(|(_, other)| other)
            .filter(|other| bends(&here[*other]))
            .collect()
    };
    let waits: Vec<Vec<usize>> = here.iter().map(waits_for).collect();
    let mut tracks: Vec<Option<usize>> = here
        .iter()
        .map(|slot| if bends(slot) { None } else { Some(0) })
        .collect();
    let mut left: Vec<usize> = (0..here.len()).filter(|at| tracks[*at].is_none()).collect();
    // What lies on each track.
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    while !left.is_empty() {
        let free = left
            .iter()
            .position(|at| waits[*at].iter().all(|other| tracks[*other].is_some()));
        let at = left.remove(free.unwrap_or(0));
        let (top, bottom) = span(&here[at]);
        let behind = waits[at].iter().filter_map(|other| tracks[*other]);
        let least = behind.max().map_or(0, |track| track + 1);
        let overlaps = |lying: &Vec<(usize, usize)>| lying.iter().any(|(from, to)| *from <= bottom && top <= *to);
        let fits = taken.iter().skip(least).position(|lying| !overlaps(lying));
        let track = fits.map_or(least.max(taken.len()), |fits| least + fits);
        taken.resize_with(taken.len().max(track + 1), Vec::new);
        taken[track].push((top, bottom));
        tracks[at] = Some(track);
    }
    (tracks.into_iter().map(Option::unwrap_or_default).collect(), taken.len())
}

/// One wire between two layers: along its row, up or down at the bend, and along the row of its end.
struct Way {
    from: (usize, usize),
    bend: usize,
    to: (usize, usize),
    tip: bool,
    lit: bool,
}

impl Drawing {
    fn wire(&mut self, way: &Way) {
        let ((x, y), (to_x, to_y)) = (way.from, way.to);
        self.along(y, x, way.bend, way.lit);
        for row in y.min(to_y)..y.max(to_y) {
            self.arm(way.bend, row, SOUTH, way.lit);
            self.arm(way.bend, row + 1, NORTH, way.lit);
        }
        self.along(to_y, way.bend, to_x, way.lit);
        if way.tip {
            self.arm(to_x, to_y, TIP, way.lit);
        }
    }

    fn along(&mut self, y: usize, from: usize, to: usize, lit: bool) {
        for x in from..to {
            self.arm(x, y, EAST, lit);
            self.arm(x + 1, y, WEST, lit);
        }
    }

    fn arm(&mut self, x: usize, y: usize, arm: u8, lit: bool) {
        let wire = self.wires.entry((x, y)).or_default();
        wire.arms |= arm;
        wire.lit |= lit;
    }
}
