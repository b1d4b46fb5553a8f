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
    /// Leave it, and say why.
    Because,
    /// Do it from now on.
    Always,
    /// Neither: go and see.
    Go,
}

/// What a part of a form takes: which keys matter there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormFocus {
    Prompt,
    Choice,
    Place,
    Tick,
    Line,
}

impl FormFocus {
    /// What these are in most forms.
    pub fn of(stop: Stop) -> FormFocus {
        match stop {
            Stop::Prompt => FormFocus::Prompt,
            Stop::Agent
            | Stop::Role
            | Stop::New(NewChatField::Way | NewChatField::Permissions)
            | Stop::Schedule(ScheduleField::Overlap | ScheduleField::Missed) => FormFocus::Choice,
            Stop::Place | Stop::Branch | Stop::Base => FormFocus::Place,
            Stop::Consent | Stop::New(NewChatField::Added(_) | NewChatField::Another) => FormFocus::Tick,
            Stop::Name
            | Stop::Of
            | Stop::Argument(_)
            | Stop::Atom(_)
            | Stop::Schedule(ScheduleField::When | ScheduleField::Zone | ScheduleField::Check | ScheduleField::Limit)
            | Stop::Yes
            | Stop::No
            | Stop::Because
            | Stop::Always
            | Stop::Go => FormFocus::Line,
        }
    }
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
