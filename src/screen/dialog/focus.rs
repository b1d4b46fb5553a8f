//! What the focus of a dialog can be on.

/// What the focus can be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Prompt,
    Name,
    Agent,
    Role,
    Place,
    Branch,
    Base,
    Consent,
    /// What is taken back.
    Of,
    /// One of several arguments of a template.
    Argument(usize),
    Atom(AtomField),
    Schedule(ScheduleField),
    New(NewChatField),
    /// Do it.
    Yes,
    /// Leave it: the safe answer.
    No,
    /// Do it from now on.
    Always,
    /// Neither: go and see.
    Go,
}

/// What only a new chat has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewChatField {
    /// A project that was typed before the one that is typed now.
    Added(usize),
    /// How a project is opened.
    Way,
    /// One more project.
    Another,
    /// What its agent does unasked.
    Permissions,
}

/// What only a schedule has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleField {
    When,
    Zone,
    Check,
    Limit,
    Overlap,
    Missed,
}

/// What only an atom has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomField {
    Needs,
    Id,
    Molecule,
}
