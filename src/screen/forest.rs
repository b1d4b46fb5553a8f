//! The chats of the sidebar as trees: children below their parents, and runs of one schedule below it.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Chat, ChatId, ScheduleId, Timestamp, Zone};

use super::sidebar_row::{Day, Fold, Rail, SidebarRow, What, height, push};

/// What decides how the trees look.
pub(super) struct ForestLook<'a> {
    pub asking: &'a [&'a ChatId],
    /// Chats whose children are not shown.
    pub folded: &'a BTreeSet<ChatId>,
    /// Schedules of whose runs only the newest is shown.
    pub shut: &'a BTreeSet<ScheduleId>,
}

/// Rows in an order that does not jump while agents work: by day of the last sign of life in a tree, newest chat first.
pub(super) fn by_day(
    chats: &BTreeMap<ChatId, Chat>,
    look: &ForestLook,
    (now, zone): (Timestamp, Zone),
) -> Vec<SidebarRow> {
    let forest = Forest::of(chats);
    let day = |item: &Item| Day::of(forest.newest(item), now, zone);
    let mut roots: Vec<(Day, Item)> = grouped(&forest.roots)
        .into_iter()
        .map(|item| (day(&item), item))
        .collect();
    roots.sort_by_key(|(day, item)| (*day, std::cmp::Reverse(item.created())));
    let mut rows: Vec<SidebarRow> = Vec::with_capacity(chats.len() + 4);
    let mut today = None;
    for (day, item) in roots {
        if today != Some(day) {
            // A free line above each heading but the first.
            let height = if rows.is_empty() { 1 } else { 2 };
            push(&mut rows, height, What::Day(day), Fold::Leaf);
            today = Some(day);
        }
        forest.item(&item, look, &[], &mut rows);
    }
    rows
}

/// The runs of the schedule that a chat is a run of, where they stand together: newest first, at least two.
pub(super) fn runs_with(chats: &BTreeMap<ChatId, Chat>, chat: &ChatId) -> Option<(ScheduleId, Vec<ChatId>)> {
    let chat = chats.get(chat)?;
    let schedule = schedule_of(chat)?;
    let root = |chat: &Chat| !leads_to_a_root(chats, chat);
    let beside = |other: &&Chat| {
        let together = (root(chat) && root(other)) || other.record.stands_below() == chat.record.stands_below();
        together && schedule_of(other).as_ref() == Some(&schedule)
    };
    let mut runs: Vec<&Chat> = chats.values().filter(beside).collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.record.created));
    let runs: Vec<ChatId> = runs.into_iter().map(|run| run.id().clone()).collect();
    (runs.len() > 1).then_some((schedule, runs))
}

fn schedule_of(chat: &Chat) -> Option<ScheduleId> {
    ScheduleId::parse(chat.record.schedule.as_deref()?)
}

/// What stands beside each other below one parent, or at the top.
enum Item<'a> {
    Chat(&'a Chat),
    /// Newest first.
    Runs(ScheduleId, Vec<&'a Chat>),
}

impl Item<'_> {
    fn created(&self) -> Timestamp {
        match self {
            Item::Chat(chat) => chat.record.created,
            Item::Runs(_, runs) => runs.iter().map(|run| run.record.created).max().unwrap_or_default(),
        }
    }
}

/// Runs of one schedule as one, where its first run stands.
fn grouped<'a>(chats: &[&'a Chat]) -> Vec<Item<'a>> {
    let mut counts: BTreeMap<ScheduleId, usize> = BTreeMap::new();
    for schedule in chats.iter().filter_map(|chat| schedule_of(chat)) {
        *counts.entry(schedule).or_default() += 1;
    }
    let mut items: Vec<Item> = Vec::with_capacity(chats.len());
    for chat in chats {
        let many = schedule_of(chat).filter(|schedule| counts.get(schedule).is_some_and(|count| *count > 1));
        let Some(schedule) = many else {
            items.push(Item::Chat(chat));
            continue;
        };
        let there = items.iter_mut().find_map(|item| match item {
            Item::Runs(known, runs) if *known == schedule => Some(runs),
            Item::Runs(..) | Item::Chat(_) => None,
        });
        match there {
            Some(runs) => runs.push(chat),
            None => items.push(Item::Runs(schedule, vec![chat])),
        }
    }
    for item in &mut items {
        if let Item::Runs(_, runs) = item {
            runs.sort_by_key(|run| std::cmp::Reverse(run.record.created));
        }
    }
    items
}

/// Chats below their parents, and forks below what they were made of. A parent that is gone, or a circle made by hand,
/// makes a chat a root: none is lost.
struct Forest<'a> {
    roots: Vec<&'a Chat>,
    children: BTreeMap<&'a ChatId, Vec<&'a Chat>>,
}

impl<'a> Forest<'a> {
    fn of(chats: &'a BTreeMap<ChatId, Chat>) -> Forest<'a> {
        let mut forest = Forest {
            roots: Vec::new(),
            children: BTreeMap::new(),
        };
        for chat in chats.values() {
            match chat.record.stands_below() {
                Some(parent) if leads_to_a_root(chats, chat) => {
                    forest.children.entry(parent).or_default().push(chat);
                }
                Some(_) | None => forest.roots.push(chat),
            }
        }
        for children in forest.children.values_mut() {
            children.sort_by_key(|child| child.record.created);
        }
        forest
    }

    fn children(&self, chat: &Chat) -> &[&'a Chat] {
        self.children.get(chat.id()).map_or(&[], Vec::as_slice)
    }

    /// All chats below one.
    fn all_below(&self, chat: &Chat) -> Vec<ChatId> {
        let of_child = |child: &&Chat| {
            let mut found = vec![child.id().clone()];
            found.extend(self.all_below(child));
            found
        };
        self.children(chat).iter().flat_map(of_child).collect()
    }

    fn newest(&self, item: &Item) -> Timestamp {
        match item {
            Item::Chat(chat) => self.newest_below(chat),
            Item::Runs(_, runs) => runs.iter().map(|run| self.newest_below(run)).max().unwrap_or_default(),
        }
    }

    fn newest_below(&self, chat: &Chat) -> Timestamp {
        let children = self.children(chat).iter().map(|child| self.newest_below(child));
        children.fold(chat.updated, Ord::max)
    }

    fn item(&self, item: &Item, look: &ForestLook, rails: &[Rail], rows: &mut Vec<SidebarRow>) {
        match item {
            Item::Chat(chat) => self.chat(chat, look, rails, rows),
            Item::Runs(schedule, runs) => {
                let shut = look.shut.contains(schedule);
                let what = What::Runs {
                    schedule: schedule.clone(),
                    count: runs.len(),
                    rails: rails.into(),
                };
                push(rows, 1, what, if shut { Fold::Shut } else { Fold::Open });
                let shown = if shut { 1 } else { runs.len() };
                let runs: Vec<Item> = runs[..shown].iter().map(|run| Item::Chat(run)).collect();
                self.below(&runs, look, rails, rows);
            }
        }
    }

    fn chat(&self, chat: &Chat, look: &ForestLook, rails: &[Rail], rows: &mut Vec<SidebarRow>) {
        let children = self.children(chat);
        let fold = match children {
            [] => Fold::Leaf,
            _ if look.folded.contains(chat.id()) => Fold::Shut,
            _ => Fold::Open,
        };
        // The roll-up of what is below has a line of its own.
        let height = height(chat, look.asking) + usize::from(fold != Fold::Leaf);
        push(rows, height, What::Chat(chat.id().clone(), rails.into()), fold);
        if let Some(row) = rows.last_mut() {
            row.below = self.all_below(chat);
        }
        if fold == Fold::Open {
            self.below(&grouped(children), look, rails, rows);
        }
    }

    fn below(&self, items: &[Item], look: &ForestLook, rails: &[Rail], rows: &mut Vec<SidebarRow>) {
        let below: Vec<Rail> = rails.iter().map(|rail| rail.below()).collect();
        for (place, item) in items.iter().enumerate() {
            let rail = if place + 1 == items.len() {
                Rail::End
            } else {
                Rail::Fork
            };
            self.item(item, look, &[below.as_slice(), &[rail]].concat(), rows);
        }
    }
}

/// The chat that one stands below, if that is there.
pub fn above<'a>(chats: &'a BTreeMap<ChatId, Chat>, chat: &ChatId) -> Option<&'a ChatId> {
    let above = chats.get(chat)?.record.stands_below()?;
    chats.contains_key(above).then_some(above)
}

/// Whether a chat has others below it.
pub fn has_below(chats: &BTreeMap<ChatId, Chat>, chat: &ChatId) -> bool {
    chats.values().any(|other| other.record.stands_below() == Some(chat))
}

/// Whether a chat's parent is there and going up from it ends. Deeper than this is a circle, or as good as one.
fn leads_to_a_root(chats: &BTreeMap<ChatId, Chat>, chat: &Chat) -> bool {
    const DEEPEST: usize = 32;
    let parent = |chat: &Chat| chat.record.stands_below().and_then(|parent| chats.get(parent));
    let mut above = parent(chat);
    if above.is_none() {
        return false;
    }
    for _ in 0..DEEPEST {
        match above {
            Some(chat) => above = parent(chat),
            None => return true,
        }
    }
    false
}
