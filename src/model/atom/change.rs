//! What may be done to a graph, and by whom. Pure: whoever calls reads the files before and writes them after.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Atom, AtomKey, AtomStatus, Graph, Molecule, MoleculeItem};
use crate::model::text::{one_line, visible};
use crate::model::{ChatId, Handle, Problem, ProblemKind, Timestamp};

const LONGEST_TITLE: usize = 200;
/// Of a detail, a context or a note, in bytes.
const LONGEST_TEXT: usize = 8 << 10;

/// What tells somebody which atoms they can claim.
const fn shows_free(who: Who) -> &'static str {
    match who {
        Who::Person => "`parlour work list --ready` shows what is free",
        Who::Agent => "list_atoms with ready_only, or `parlour work list --ready`, shows what is free",
    }
}

/// What is asked of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtomAsk {
    List(ListAtoms),
    Change(AtomChange),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtomChange {
    Add(NewAtoms),
    Claim(AtomKey),
    Update(AtomKey, Edit),
}

/// All atoms, or those of one molecule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListAtoms {
    pub molecule: Option<String>,
    #[serde(default)]
    pub ready_only: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewAtoms {
    pub molecule: String,
    pub atoms: Vec<NewAtom>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewAtom {
    pub id: String,
    pub title: String,
    #[serde(default)]
    pub detail: String,
    /// Ids to be done first, or molecule/id
    #[serde(default)]
    pub needs: Vec<String>,
    /// For whoever takes it
    #[serde(default)]
    pub context: String,
}

/// What is to be different of an atom; `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Edit {
    pub status: Option<AtomStatus>,
    pub title: Option<String>,
    pub detail: Option<String>,
    pub needs: Option<Vec<String>>,
    pub note: Option<String>,
}

/// Who asks, and whom the graph belongs to as far as that decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomRequester {
    pub who: Who,
    /// Whose an atom becomes that is claimed.
    pub chat: ChatId,
    /// Every chat of the tree, with the handles that it answers to, the one that it has first.
    pub tree: BTreeMap<ChatId, Vec<Handle>>,
    /// The chats below this one.
    pub below: BTreeSet<ChatId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Who {
    Agent,
    #[default]
    Person,
}

/// The atoms in progress of a chat whose agent has ended are free again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    pub owner: ChatId,
    /// Those that it answers to, the one that it has first.
    pub handles: Vec<Handle>,
    pub why: String,
}

fn is_owner(named: &str, id: &ChatId, handles: &[Handle]) -> bool {
    id.as_str() == named || handles.iter().any(|handle| handle.as_str() == named)
}

impl AtomRequester {
    /// The chat of the tree that an owner in a file is: named by its id, or by hand with its handle.
    pub fn owner(&self, named: &str) -> Option<&ChatId> {
        let is_named = |(id, handles): &(&ChatId, &Vec<Handle>)| is_owner(named, id, handles);
        self.tree.iter().find(is_named).map(|(id, _)| id)
    }

    fn shown(&self, named: &str) -> String {
        match self.owner(named).and_then(|id| self.tree.get(id)?.first()) {
            Some(handle) => handle.to_string(),
            None => format!("{}, which is no chat of this tree", one_line(named, 60)),
        }
    }
}

impl Graph {
    /// Carries it out, or says why not and leaves everything as it is. Says which molecule is another now.
    pub fn change(&mut self, change: &AtomChange, by: &AtomRequester, now: Timestamp) -> Result<String, Problem> {
        let mut next = self.clone();
        let molecule = match change {
            AtomChange::Add(NewAtoms { molecule, atoms }) => next.add(molecule, atoms),
            AtomChange::Claim(key) => next.update(key, &Edit::to(AtomStatus::InProgress), by, now),
            AtomChange::Update(key, edit) => next.update(key, edit, by, now),
        }?;
        *self = next;
        Ok(molecule)
    }

    fn add(&mut self, molecule: &str, new: &[NewAtom]) -> Result<String, Problem> {
        let doing = format!("adding atoms to {}", visible(molecule));
        let into = self.writable(&doing, molecule)?;
        for atom in new {
            if into.atoms().any(|known| known.id == atom.id) {
                let cause = format!("there is an atom {} already", visible(&atom.id));
                let hint = "give the new one another id; to change what is there is `parlour work update`, for an agent update_atom";
                return Err(Problem::new(doing, cause, hint));
            }
            into.items.push(MoleculeItem::Atom(Box::new(Atom {
                id: atom.id.clone(),
                title: one_line(&atom.title, LONGEST_TITLE),
                detail: atom.detail.trim().into(),
                needs: named(&atom.needs),
                context: atom.context.trim().into(),
                ..Atom::default()
            })));
        }
        if into.items.len() > Molecule::MOST_ATOMS {
            let cause = format!("a molecule holds {} atoms at most", Molecule::MOST_ATOMS);
            return Err(Problem::new(doing, cause, "put these into another molecule").of_kind(ProblemKind::Limit));
        }
        if let Some(cause) = self.is_too_large() {
            return Err(Problem::new(doing, cause, "remove molecules that are done").of_kind(ProblemKind::Limit));
        }
        let keys: Vec<AtomKey> = new.iter().map(|atom| AtomKey::new(molecule, &atom.id)).collect();
        keys.iter().try_for_each(|key| self.check_atom(&doing, key))?;
        self.check_circle(&doing, &keys)?;
        Ok(molecule.into())
    }

    fn update(&mut self, key: &AtomKey, edit: &Edit, by: &AtomRequester, now: Timestamp) -> Result<String, Problem> {
        let verb = match edit.status {
            Some(AtomStatus::InProgress) => "claiming",
            Some(AtomStatus::Todo | AtomStatus::Done) | None => "updating",
        };
        let doing = format!("{verb} {}", visible(&key.to_string()));
        let Some(atom) = self.get(key) else {
            return Err(self.unknown(&doing, key));
        };
        let owner = self
            .next_owner(key, atom, edit.status, by)
            .map_err(|(cause, hint)| Problem::new(doing.as_str(), cause, hint))?;
        let molecule = self.writable(&doing, &key.molecule)?;
        if let Some(atom) = molecule.atom_mut(&key.id) {
            atom.owner = owner;
            atom.take(edit, now);
        }
        if edit.needs.is_some() {
            self.check_circle(&doing, std::slice::from_ref(key))?;
        }
        if !edit.is_of_status_alone() {
            self.check_atom(&doing, key)?;
        }
        Ok(key.molecule.clone())
    }

    /// Whose the atom is after this, or why this may not be, and what to do instead.
    fn next_owner(
        &self,
        key: &AtomKey,
        atom: &Atom,
        to: Option<AtomStatus>,
        by: &AtomRequester,
    ) -> Result<Option<String>, (String, &'static str)> {
        let owner = atom.owner.as_deref();
        let known = owner.and_then(|owner| by.owner(owner));
        let theirs = known == Some(&by.chat) && atom.status != AtomStatus::Todo;
        let may_finish = by.who == Who::Person || theirs;
        let same = Ok(atom.owner.clone());
        let shown = owner.map_or_else(|| "nobody known".into(), |owner| by.shown(owner));
        let busy = match atom.status {
            AtomStatus::Todo => "nobody has claimed it".to_string(),
            AtomStatus::InProgress => format!("it is in progress with {shown}"),
            AtomStatus::Done if owner.is_none() => "it was done by a person".to_string(),
            AtomStatus::Done => format!("it was done by {shown}"),
        };
        match (to, atom.status) {
            (None | Some(AtomStatus::Todo), AtomStatus::Todo) => same,
            (None | Some(AtomStatus::Done), _) if may_finish => same,
            (None | Some(AtomStatus::Done), _) => Err((busy, "only its owner, who claimed it, or a person does that")),
            (Some(AtomStatus::Todo), _) => match may_finish || known.is_none_or(|owner| by.below.contains(owner)) {
                true => Ok(None),
                false => Err((busy, "its owner, a chat above it or a person sets it back")),
            },
            (Some(AtomStatus::InProgress), AtomStatus::Todo) => {
                let open: Vec<String> = self.waits_for(key).iter().map(|need| visible(need)).collect();
                match open.is_empty() {
                    true => Ok(Some(by.chat.to_string())),
                    false => Err((format!("it waits for {}", open.join(", ")), shows_free(by.who))),
                }
            }
            (Some(AtomStatus::InProgress), AtomStatus::InProgress) if theirs => same,
            (Some(AtomStatus::InProgress), AtomStatus::InProgress | AtomStatus::Done) => {
                Err((busy, shows_free(by.who)))
            }
        }
    }

    /// Frees what a chat had in progress; says which molecules are others now.
    pub fn release(&mut self, release: &Release, now: Timestamp) -> Vec<String> {
        let mut changed = Vec::new();
        for key in self.held_by(&release.owner, &release.handles) {
            let molecule = self.molecules.iter_mut().find(|molecule| molecule.name == key.molecule);
            if let Some(atom) = molecule.and_then(|molecule| molecule.atom_mut(&key.id)) {
                (atom.status, atom.owner, atom.since) = (AtomStatus::Todo, None, Some(now));
                let owner = release.handles.first().map_or(release.owner.as_str(), Handle::as_str);
                atom.note = format!("free again: {owner}, whose it was, has ended ({})", release.why);
                changed.push(key.molecule);
            }
        }
        changed.dedup();
        changed
    }

    /// What a chat has in progress.
    pub fn held_by(&self, owner: &ChatId, handles: &[Handle]) -> Vec<AtomKey> {
        let held = |(key, atom): (AtomKey, &Atom)| {
            let theirs = atom
                .owner
                .as_deref()
                .is_some_and(|named| is_owner(named, owner, handles));
            (atom.status == AtomStatus::InProgress && theirs).then_some(key)
        };
        self.atoms().filter_map(held).collect()
    }

    /// The molecule of that name, made where it is missing. One that cannot be read is left alone.
    fn writable(&mut self, doing: &str, name: &str) -> Result<&mut Molecule, Problem> {
        let at = match self.molecules.iter().position(|molecule| molecule.name == name) {
            Some(at) => at,
            // One that was not read would be written over.
            None if self.molecules.len() >= Self::MOST_MOLECULES => {
                let cause = format!("a tree of chats holds {} molecules at most", Self::MOST_MOLECULES);
                return Err(
                    Problem::new(doing, cause, "take one that is there, or remove one that is done")
                        .of_kind(ProblemKind::Limit),
                );
            }
            None => {
                self.molecules.push(Molecule::empty(name));
                self.molecules.len() - 1
            }
        };
        match &self.molecules[at].damage {
            Some(why) => {
                let cause = format!("molecules/{}.json cannot be read: {why}", visible(name));
                Err(Problem::new(doing, cause, "correct the file, or take another molecule"))
            }
            None => Ok(&mut self.molecules[at]),
        }
    }

    fn unknown(&self, doing: &str, key: &AtomKey) -> Problem {
        let ids: Vec<&str> = match self.molecule(&key.molecule) {
            Some(molecule) => molecule.atoms().map(|atom| atom.id.as_str()).take(20).collect(),
            None => Vec::new(),
        };
        let names: Vec<&str> = self
            .molecules
            .iter()
            .map(|molecule| molecule.name.as_str())
            .take(20)
            .collect();
        let hint = match (ids.is_empty(), names.is_empty()) {
            (false, _) => format!("{} has {}", visible(&key.molecule), visible(&ids.join(", "))),
            (true, false) => format!("there are the molecules {}", visible(&names.join(", "))),
            (true, true) => "the tree has no plan yet".into(),
        };
        Problem::missing(doing, "there is no such atom", hint)
    }

    /// What an atom is made of: its sizes, and that what it needs is there.
    fn check_atom(&self, doing: &str, key: &AtomKey) -> Result<(), Problem> {
        let Some(atom) = self.get(key) else {
            return Ok(());
        };
        let refused = |cause: String, hint: String| Err(Problem::new(doing, cause, hint));
        let id = visible(&atom.id);
        if atom.title.is_empty() {
            return refused(
                format!("{id} has no title"),
                "say in a few words what is to be done".into(),
            );
        }
        let texts = [
            ("detail", &atom.detail),
            ("context", &atom.context),
            ("note", &atom.note),
        ];
        if let Some((name, _)) = texts.into_iter().find(|(_, text)| text.len() > LONGEST_TEXT) {
            let hint = "put it into a file and name that".into();
            return refused(format!("the {name} of {id} is longer than 8 KB"), hint);
        }
        if atom.needs.len() > Atom::MOST_NEEDS {
            let cause = format!("{id} needs more than {} atoms", Atom::MOST_NEEDS);
            return refused(cause, String::new());
        }
        let missing = |need: &&String| self.get(&AtomKey::of_need(&key.molecule, need)).is_none();
        match atom.needs.iter().find(missing) {
            None => Ok(()),
            Some(need) => {
                let hint = "add that one first, or both at once; one of another molecule is written molecule/id";
                refused(format!("{id} needs {}, which is not there", visible(need)), hint.into())
            }
        }
    }

    fn check_circle(&self, doing: &str, from: &[AtomKey]) -> Result<(), Problem> {
        match self.circle(Some(from)) {
            None => Ok(()),
            Some(circle) => {
                let cause = format!("they would wait for each other for ever: {}", visible(&circle));
                Err(Problem::new(doing, cause, "leave one of these needs out"))
            }
        }
    }
}

/// Ids as they are meant: a comma too many names none.
fn named(needs: &[String]) -> Vec<String> {
    let needs = needs.iter().map(|need| need.trim()).filter(|need| !need.is_empty());
    needs.map(str::to_owned).collect()
}

impl Atom {
    fn take(&mut self, edit: &Edit, now: Timestamp) {
        if let Some(status) = edit.status.filter(|status| *status != self.status) {
            (self.status, self.since) = (status, Some(now));
            // What was said of it before is of another time.
            self.note.clear();
        }
        if let Some(title) = &edit.title {
            self.title = one_line(title, LONGEST_TITLE);
        }
        if let Some(detail) = &edit.detail {
            self.detail = detail.trim().into();
        }
        if let Some(note) = &edit.note {
            self.note = note.trim().into();
        }
        if let Some(needs) = &edit.needs {
            self.needs = named(needs);
        }
    }
}

impl Edit {
    pub fn to(status: AtomStatus) -> Edit {
        Edit {
            status: Some(status),
            ..Edit::default()
        }
    }

    fn is_of_status_alone(&self) -> bool {
        let rest = Edit {
            status: None,
            ..self.clone()
        };
        rest == Edit::default()
    }
}
