//! All dialogs there are, one line each. What one does is said by its [`Contract`]: nobody else chooses by its kind, but for
//! drawing and for what follows on the screen when one is over.

use super::{
    AddSetup, AgentForm, Approvals, AtomForm, AtomPage, BringBack, Cancel, Choose, Contract, Delete, Discard, DiskPage,
    ExplainPage, ExportForm, ForkQuestion, Halt, Help, HistorySearch, KeepForm, Log, MendMenu, NewChat, Output,
    Palette, Project, Proposed, RemarkForm, Rename, RevertQuestion, ScheduleForm, Servers, SettingsPage, SetupPage,
    Several, Slash, TemplateForm, TodoForm, Tour, Trash, UNREAD_MS, UsagePage,
};
use crate::model::Timestamp;
use strum::{IntoStaticStr, VariantNames};

macro_rules! dialogs {
    ($($kind:ident($dialog:ty),)*) => {
        /// What is open over a client's screen. Each has its name, by which a test looks for the keys that lead to it.
        #[derive(IntoStaticStr, VariantNames)]
        pub enum Dialog {
            $($kind(Box<$dialog>),)*
        }

        impl Dialog {
            pub fn contract(&self) -> &dyn Contract {
                match self {
                    $(Dialog::$kind(dialog) => &**dialog,)*
                }
            }

            pub fn contract_mut(&mut self) -> &mut dyn Contract {
                match self {
                    $(Dialog::$kind(dialog) => &mut **dialog,)*
                }
            }
        }

        $(impl From<$dialog> for Dialog {
            fn from(dialog: $dialog) -> Dialog {
                Dialog::$kind(Box::new(dialog))
            }
        })*
    };
}

dialogs! {
    NewChat(NewChat),
    Project(Project),
    Rename(Rename),
    Agent(AgentForm),
    Schedule(ScheduleForm),
    Cancel(Cancel),
    Stop(Halt),
    Revert(RevertQuestion),
    Fork(ForkQuestion),
    Remark(RemarkForm),
    Todo(TodoForm),
    Discard(Discard),
    BringBack(BringBack),
    Keep(KeepForm),
    Delete(Delete),
    Several(Several),
    Help(Help),
    Tour(Tour),
    Log(Log),
    Palette(Palette),
    Mend(MendMenu),
    Slash(Slash),
    Template(TemplateForm),
    Choose(Choose),
    Approvals(Approvals),
    Servers(Servers),
    Settings(SettingsPage),
    Trash(Trash),
    Disk(DiskPage),
    Setup(SetupPage),
    AddSetup(AddSetup),
    Output(Output),
    Usage(UsagePage),
    History(HistorySearch),
    Explain(ExplainPage),
    Export(ExportForm),
    Proposed(Proposed),
    AtomForm(AtomForm),
    AtomPage(AtomPage),
}

impl Dialog {
    /// From when on its answers count; `None` for what is not answered.
    pub fn is_live_from(&self) -> Option<Timestamp> {
        self.contract().shown().map(|shown| shown.plus_ms(UNREAD_MS))
    }
}
