//! The chats of the sidebar as trees, in order: children below their parents, and runs of one schedule below it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::domain::state::Domain;
use crate::model::preferences::{ListGrouping, ListLook, ListOrder};
use crate::model::{Chat, ChatId, ScheduleId, Timestamp};

use super::need::{self, Need};
use super::sidebar_row::{Day, Fold, Heading, Rail, SidebarRow, What, height, push};

/// What decides how the trees look.
pub(super) struct ForestLook<'a> {
    pub look: ListLook,
    /// It has a second line.
    pub selected: Option<&'a ChatId>,
    /// Chats whose children are not shown.
    pub folded: &'a BTreeSet<ChatId>,
    /// Schedules of whose runs only the newest is shown.
    pub shut: &'a BTreeSet<ScheduleId>,
    /// The keys that lead to chats.
    pub numbers: &'a BTreeMap<ChatId, u8>,
    /// Where chats stood before, while that is not to change.
    pub held: HashMap<ChatId, usize>,
}

/// Chats in their order, with what is below them: a tree stands where its neediest chat would.
pub(super) fn rows(domain: &Domain, look: &ForestLook) -> Vec<SidebarRow> {
    let forest = Forest::of(domain, look);
    let roots = match look.look.groups {
        ListGrouping::Schedule => forest.roots.iter().map(|chat| Item::Chat(chat)).collect(),
        ListGrouping::None | ListGrouping::Day | ListGrouping::Project | ListGrouping::State => grouped(&forest.roots),
    };
    let roots = forest.sorted(roots).into_iter();
    let mut roots: Vec<(Option<Heading>, Item)> = roots.map(|item| (forest.heading(&item), item)).collect();
    roots.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut rows: Vec<SidebarRow> = Vec::with_capacity(domain.disk.chats.len() + 4);
    let mut last = None;
    for (heading, item) in roots {
        if let Some(heading) = heading.filter(|heading| last.as_ref() != Some(heading)) {
            // A free line above each heading but the first.
            let height = if rows.is_empty() { 1 } else { 2 };
            push(
                &mut rows,
                SidebarRow::new(height, What::Heading(heading.clone()), Fold::Leaf),
            );
            last = Some(heading);
        }
        forest.item(&item, &[], &mut rows);
    }
    rows
}

/// Chats in the order that a filter found them in.
pub(super) fn flat(domain: &Domain, chats: &[ChatId], selected: Option<&ChatId>) -> Vec<SidebarRow> {
    let mut rows = Vec::with_capacity(chats.len());
    for chat in chats.iter().filter_map(|chat| domain.disk.chats.get(chat)) {
        let need = need::of(domain, chat.id());
        let height = height(domain, chat, need, selected == Some(chat.id()));
        let row = SidebarRow {
            need,
            moved: need::activity(domain, chat, need),
            by_handle: domain.disk.chats.is_called_by_handle(chat),
            ..SidebarRow::new(height, What::Chat(chat.id().clone(), Box::default()), Fold::Leaf)
        };
        push(&mut rows, row);
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

impl<'a> Item<'a> {
    fn chats(&self) -> &[&'a Chat] {
        match self {
            Item::Chat(chat) => std::slice::from_ref(chat),
            Item::Runs(_, runs) => runs,
        }
    }
}

fn is_pinned(item: &Item) -> bool {
    item.chats().iter().any(|chat| chat.record.set.pinned)
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

/// How much a chat, or a tree, needs a person, and when what needs them last moved. A query at rest stands behind all others:
/// its asker read the answer in the shell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_query: bool,
    need: Need,
    moved: Reverse<Timestamp>,
}

impl Rank {
    fn moved(self) -> Timestamp {
        self.moved.0
    }
}

/// Chats below their parents, and forks below what they were made of. A parent that is gone, or a circle made by hand,
/// makes a chat a root: none is lost.
struct Forest<'a> {
    domain: &'a Domain,
    look: &'a ForestLook<'a>,
    ranks: HashMap<&'a ChatId, Rank>,
    /// The same of whole trees.
    trees: HashMap<&'a ChatId, Rank>,
    roots: Vec<&'a Chat>,
    children: HashMap<&'a ChatId, Vec<&'a Chat>>,
}

impl<'a> Forest<'a> {
    fn of(domain: &'a Domain, look: &'a ForestLook<'a>) -> Forest<'a> {
        let chats: &BTreeMap<ChatId, Chat> = &domain.disk.chats;
        let rank = |chat: &'a Chat| {
            let need = need::of(domain, chat.id());
            let rests = matches!(need, Need::Unseen | Need::Idle | Need::Ended);
            let rank = Rank {
                is_query: rests && chat.record.set.unnumbered,
                need,
                moved: Reverse(need::activity(domain, chat, need)),
            };
            (chat.id(), rank)
        };
        let mut forest = Forest {
            domain,
            look,
            ranks: chats.values().map(rank).collect(),
            trees: HashMap::new(),
            roots: Vec::new(),
            children: HashMap::new(),
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
        if look.look.groups != ListGrouping::State {
            forest.hide_archived();
        }
        let mut trees = HashMap::new();
        for root in &forest.roots {
            forest.rank_tree(root, &mut trees);
        }
        forest.trees = trees;
        forest
    }

    /// Archived chats go with all below them, unless something there needs a person or is shown.
    fn hide_archived(&mut self) {
        let is_archived = |chat: &&Chat| chat.record.set.archived;
        if !self.domain.disk.chats.values().any(|chat| is_archived(&chat)) {
            return;
        }
        let stays = |chat: &&'a Chat| !is_archived(chat) || self.calls(chat);
        let roots = self.roots.iter().copied().filter(stays).collect();
        let of_parent = |(parent, children): (&&'a ChatId, &Vec<&'a Chat>)| {
            (*parent, children.iter().copied().filter(stays).collect())
        };
        let children = self.children.iter().map(of_parent).collect();
        (self.roots, self.children) = (roots, children);
    }

    fn calls(&self, chat: &Chat) -> bool {
        let asks = self.ranks[chat.id()].need == Need::Waiting;
        let below = || self.children(chat).iter().any(|child| self.calls(child));
        asks || self.look.selected == Some(chat.id()) || below()
    }

    fn rank_tree(&self, chat: &'a Chat, trees: &mut HashMap<&'a ChatId, Rank>) -> Rank {
        let below = self.children(chat).iter().map(|child| self.rank_tree(child, trees));
        let rank = below.fold(self.ranks[chat.id()], Ord::min);
        trees.insert(chat.id(), rank);
        rank
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

    fn rank(&self, item: &Item) -> Rank {
        let ranks = item.chats().iter().map(|chat| self.trees[chat.id()]);
        ranks.min().unwrap_or(Rank {
            is_query: false,
            need: Need::Ended,
            moved: Reverse(Timestamp::default()),
        })
    }

    fn newest(&self, chat: &Chat) -> Timestamp {
        let children = self.children(chat).iter().map(|child| self.newest(child));
        children.fold(chat.updated, Ord::max)
    }

    fn newest_of(&self, item: &Item) -> Timestamp {
        let chats = item.chats().iter().map(|chat| self.newest(chat));
        chats.max().unwrap_or_default()
    }

    /// In the order that is wanted; the chat made last first where that says nothing.
    fn sorted<'i>(&self, mut items: Vec<Item<'i>>) -> Vec<Item<'i>> {
        let created = |item: &Item| Reverse(item.chats().iter().map(|chat| chat.record.created).max());
        items.sort_by_cached_key(created);
        match self.look.look.order {
            ListOrder::Need => items.sort_by_cached_key(|item| self.rank(item)),
            ListOrder::Activity => items.sort_by_cached_key(|item| Reverse(self.newest_of(item))),
            ListOrder::Created => {}
            ListOrder::Name => items.sort_by_cached_key(|item| {
                let first = item.chats().first();
                first.map(|chat| chat.record.name.to_lowercase())
            }),
            ListOrder::Number => items.sort_by_cached_key(|item| {
                let numbers = item.chats().iter().filter_map(|chat| self.look.numbers.get(chat.id()));
                numbers.min().copied().unwrap_or(u8::MAX)
            }),
        }
        items.sort_by_key(|item| !is_pinned(item));
        // What was not there before stands at the top.
        let place = |item: &Item| {
            let places = item.chats().iter().filter_map(|chat| self.look.held.get(chat.id()));
            places.min().copied()
        };
        if !self.look.held.is_empty() {
            items.sort_by_cached_key(place);
        }
        items
    }

    fn heading(&self, item: &Item) -> Option<Heading> {
        let first = item.chats().first()?;
        let (now, zone) = (self.domain.now, self.domain.live.facts.zone);
        Some(match self.look.look.groups {
            ListGrouping::None => return None,
            _ if is_pinned(item) => Heading::Pinned,
            ListGrouping::State if first.record.set.archived => Heading::Archived,
            ListGrouping::Day => Heading::Day(Day::of(self.newest_of(item), now, zone)),
            ListGrouping::State => Heading::State(self.rank(item).need),
            ListGrouping::Project => match first.projects.first() {
                Some(project) => Heading::Project(project.name.clone()),
                None => Heading::NoProject,
            },
            ListGrouping::Schedule => schedule_of(first).map_or(Heading::NoSchedule, Heading::Schedule),
        })
    }

    fn item(&self, item: &Item, rails: &[Rail], rows: &mut Vec<SidebarRow>) {
        match item {
            Item::Chat(chat) => self.chat(chat, rails, rows),
            Item::Runs(schedule, runs) => {
                let shut = self.look.shut.contains(schedule);
                let what = What::Runs {
                    schedule: schedule.clone(),
                    count: runs.len(),
                    rails: rails.into(),
                };
                let fold = if shut { Fold::Shut } else { Fold::Open };
                push(rows, SidebarRow::new(1, what, fold));
                let shown = if shut { 1 } else { runs.len() };
                let runs: Vec<Item> = runs[..shown].iter().map(|run| Item::Chat(run)).collect();
                self.below(&runs, rails, rows);
            }
        }
    }

    fn chat(&self, chat: &Chat, rails: &[Rail], rows: &mut Vec<SidebarRow>) {
        let children = self.children(chat);
        let fold = match children {
            [] => Fold::Leaf,
            _ if self.look.folded.contains(chat.id()) => Fold::Shut,
            _ => Fold::Open,
        };
        // Folded, it stands for all that is below.
        let ranks = if fold == Fold::Shut { &self.trees } else { &self.ranks };
        let (rank, own) = (ranks[chat.id()], self.ranks[chat.id()]);
        let moved = match self.look.look.order {
            ListOrder::Need | ListOrder::Name | ListOrder::Number => rank.moved(),
            ListOrder::Activity if fold == Fold::Shut => self.newest(chat),
            ListOrder::Activity => chat.updated,
            ListOrder::Created => chat.record.created,
        };
        let height = height(self.domain, chat, own.need, self.look.selected == Some(chat.id()));
        let row = SidebarRow {
            need: rank.need,
            moved,
            by_handle: self.domain.disk.chats.is_called_by_handle(chat),
            below: if fold == Fold::Shut {
                self.all_below(chat)
            } else {
                Vec::new()
            },
            ..SidebarRow::new(height, What::Chat(chat.id().clone(), rails.into()), fold)
        };
        push(rows, row);
        if fold == Fold::Open {
            // As they were made: who made them thinks of them in that order.
            self.below(&grouped(children), rails, rows);
        }
    }

    fn below(&self, items: &[Item], rails: &[Rail], rows: &mut Vec<SidebarRow>) {
        let below: Vec<Rail> = rails.iter().map(|rail| rail.below()).collect();
        for (place, item) in items.iter().enumerate() {
            let rail = if place + 1 == items.len() {
                Rail::End
            } else {
                Rail::Fork
            };
            self.item(item, &[below.as_slice(), &[rail]].concat(), rows);
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
