//! Colours, once a theme: the style runs of a screen.

use parlour::config::theme::Theme;

use crate::support::golden::golden;
use crate::support::paper::draw;
use crate::support::world::{ME, World};

/// The style runs of two rows in which half a line each is selected.
fn selected(name: &str, theme: &Theme, no_color: bool) {
    let mut world = World::morning(60, 8);
    world.view().client.no_color = no_color;
    world.press("enter ctrl+q v g j v j 0");
    let paper = draw(&world.state, ME, theme);
    golden(
        &format!("theme.{name}-selection.60x8"),
        "What is selected, in the selection's own colours over the program's.",
        format!("{:?}", paper.buffer),
    );
}

fn styled(name: &str, theme: &Theme, no_color: bool) {
    let mut world = World::morning(80, 24);
    world.view().client.no_color = no_color;
    let paper = draw(&world.state, ME, theme);
    golden(
        &format!("theme.{name}.80x24"),
        "The morning's screen with its style runs.",
        format!("{:?}", paper.buffer),
    );
}

#[test]
fn the_dark_theme() {
    styled("dark", &Theme::dark(), false);
    selected("dark", &Theme::dark(), false);
}

#[test]
fn the_light_theme() {
    styled("light", &Theme::light(), false);
    selected("light", &Theme::light(), false);
}

#[test]
fn without_colours_only_attributes_are_used() {
    styled("plain", &Theme::dark(), true);
    selected("plain", &Theme::dark(), true);
}
