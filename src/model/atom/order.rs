//! What comes before what: circles among needs, and layers by the longest way.
//!
//! Nothing here is recursive: the graph is an agent's to write, and may be as deep as it is large.

use std::collections::BTreeMap;

use super::{AtomKey, Graph};

/// The graph by numbers: for each atom, the atoms it needs that are there.
struct Net {
    keys: Vec<AtomKey>,
    needs: Vec<Vec<usize>>,
}

impl Net {
    fn of(graph: &Graph) -> Net {
        let keys: Vec<AtomKey> = graph.atoms().map(|(key, _)| key).collect();
        let places: BTreeMap<&AtomKey, usize> = keys.iter().enumerate().map(|(at, key)| (key, at)).collect();
        let needs = graph.atoms().map(|(key, atom)| {
            let needed = atom.needs.iter().map(|need| AtomKey::of_need(&key.molecule, need));
            let mut needed: Vec<usize> = needed.filter_map(|need| places.get(&need).copied()).collect();
            needed.sort_unstable();
            needed.dedup();
            needed
        });
        let needs = needs.collect();
        Net { keys, needs }
    }

    /// The first circle that is met on the ways from these: each atom needs the next, and the last one the first.
    fn circle(&self, from: impl Iterator<Item = usize>) -> Option<Vec<usize>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Never,
            OnTheWay,
            Whole,
        }
        let mut seen = vec![Seen::Never; self.keys.len()];
        for start in from {
            if seen[start] != Seen::Never {
                continue;
            }
            seen[start] = Seen::OnTheWay;
            // An atom, and how many of its needs were followed.
            let mut way = vec![(start, 0)];
            while let Some((at, followed)) = way.last_mut() {
                let Some(next) = self.needs[*at].get(*followed).copied() else {
                    seen[*at] = Seen::Whole;
                    way.pop();
                    continue;
                };
                *followed += 1;
                match seen[next] {
                    Seen::Never => {
                        seen[next] = Seen::OnTheWay;
                        way.push((next, 0));
                    }
                    Seen::OnTheWay => {
                        let circle = way.iter().map(|(at, _)| *at).skip_while(|at| *at != next);
                        return Some(circle.collect());
                    }
                    Seen::Whole => {}
                }
            }
        }
        None
    }
}

impl Graph {
    /// A circle among the atoms, or what these atoms need, in words: `a needs b needs a`.
    pub fn circle(&self, from: Option<&[AtomKey]>) -> Option<String> {
        let net = Net::of(self);
        let is_start = |at: &usize| from.is_none_or(|from| from.contains(&net.keys[*at]));
        let circle = net.circle((0..net.keys.len()).filter(is_start))?;
        let molecule = &net.keys[*circle.first()?].molecule;
        let names = circle.iter().chain(circle.first());
        let names: Vec<String> = names.map(|at| net.keys[*at].from(molecule)).collect();
        Some(names.join(" needs "))
    }

    /// The atoms by how many stand one after another before them at most. An atom of a circle counts from where the
    /// circle is entered.
    pub fn layers(&self) -> Vec<Vec<AtomKey>> {
        let net = Net::of(self);
        let count = net.keys.len();
        let mut users = vec![Vec::new(); count];
        let mut open = vec![0; count];
        for (at, needs) in net.needs.iter().enumerate() {
            open[at] = needs.len();
            needs.iter().for_each(|need| users[*need].push(at));
        }
        let mut depth = vec![0; count];
        let mut placed = vec![false; count];
        let mut ready: Vec<usize> = (0..count).filter(|at| open[*at] == 0).collect();
        let mut left = count;
        while left > 0 {
            // Only what is in a circle, or behind one, is left: it is entered at the first of them.
            let at = match ready.pop() {
                Some(at) => at,
                None => match placed.iter().position(|placed| !placed) {
                    Some(at) => at,
                    None => break,
                },
            };
            if std::mem::replace(&mut placed[at], true) {
                continue;
            }
            left -= 1;
            for user in &users[at] {
                if placed[*user] {
                    continue;
                }
                depth[*user] = depth[*user].max(depth[at] + 1);
                open[*user] -= 1;
                if open[*user] == 0 {
                    ready.push(*user);
                }
            }
        }
        let mut layers = vec![Vec::new(); depth.iter().max().map_or(0, |most| most + 1)];
        for (at, key) in net.keys.into_iter().enumerate() {
            layers[depth[at]].push(key);
        }
        layers
    }
}
