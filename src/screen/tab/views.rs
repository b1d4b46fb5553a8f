//! What one person looks at in the tabs, one value a tab. It sees neither [`View`](crate::screen::view::View) nor the state,
//! because the view holds it.

use super::board::Board;
use super::todos::data::TodosView;

#[derive(Default)]
pub struct TabViews {
    pub todos: TodosView,
    pub board: Board,
}
