//! How any chart is drawn, on any surface.

use std::collections::HashSet;

use plotters::chart::ChartBuilder;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::looks::{GRID, INK, PAPER, Symbol};
use super::{Axis, Chart, Look, Mark, WIDTH};

/// What drawing on a surface may end with.
type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;
/// Where a point lies, in pixels.
type Pixel = (i32, i32);

const MARGIN: i32 = 12;
const TITLE: i32 = 34;
/// The size of most letters; plotters takes a fourth off it.
const LETTERS: i32 = 19;
/// About what a letter of that size takes.
const LETTER_WIDTH: i32 = 9;
const LEGEND_LINE: i32 = 22;
const PLOT: i32 = 330;
/// A row of bars, a line for a name above its bar, and the axis below them.
const ROW: i32 = 40;
const NAME_LINE: i32 = 20;
/// Names longer than this leave bars no room beside them and stand above.
const BESIDE: usize = 24;
const BELOW: i32 = 64;

/// How high a chart is.
pub(super) fn height(chart: &Chart) -> u32 {
    let plot = if is_bars(chart) { chart.y.ticks.len() as i32 * row_height(chart) } else { PLOT };
    (top(chart) + plot + BELOW + MARGIN) as u32
}

fn is_bars(chart: &Chart) -> bool {
    chart.marks.iter().any(|mark| matches!(mark, Mark::Bar { .. }))
}

/// Whether the names of bars stand above them.
fn names_above(chart: &Chart) -> bool {
    is_bars(chart) && chart.y.ticks.iter().any(|(_, name)| name.chars().count() > BESIDE)
}

fn row_height(chart: &Chart) -> i32 {
    if names_above(chart) { ROW + NAME_LINE } else { ROW }
}

/// A text that fits this width: the middle makes way, since solvers differ at their beginnings and ends.
fn shortened(text: &str, width: i32) -> String {
    let most = (width / LETTER_WIDTH).max(3) as usize;
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= most {
        return text.to_owned();
    }
    let end = (most - 1) / 2;
    let begin = most - 1 - end;
    let (begin, end) = (&letters[..begin], &letters[letters.len() - end..]);
    format!("{}…{}", begin.iter().collect::<String>(), end.iter().collect::<String>())
}

/// How many names stand side by side.
fn legend_columns(chart: &Chart) -> i32 {
    let longest = chart.legend.iter().map(|(_, name)| name.chars().count() as i32).max().unwrap_or(0);
    ((WIDTH as i32 - 2 * MARGIN) / (longest * LETTER_WIDTH + 44)).clamp(1, 4)
}

fn legend_lines(chart: &Chart) -> i32 {
    (chart.legend.len() as i32 + legend_columns(chart) - 1) / legend_columns(chart)
}

/// Where the plot begins.
fn top(chart: &Chart) -> i32 {
    MARGIN + TITLE + legend_lines(chart) * LEGEND_LINE + MARGIN
}

fn letters<'a>(colour: RGBColor) -> TextStyle<'a> {
    ("sans-serif", LETTERS).into_font().color(&colour)
}

/// Draws the chart.
pub(super) fn draw<B: DrawingBackend>(chart: &Chart, area: &DrawingArea<B, Shift>) -> Drawn<B> {
    area.fill(&PAPER)?;
    let title = ("sans-serif", LETTERS + 4).into_font().color(&INK);
    area.draw(&Text::new(chart.title, (MARGIN, MARGIN), title))?;
    legend(chart, area)?;
    let top = top(chart);
    if chart.marks.is_empty() {
        let middle = (WIDTH as i32 / 2, top + PLOT / 3);
        let style = letters(INK).pos(Pos::new(HPos::Center, VPos::Center));
        return area.draw(&Text::new("nothing to show: no position was solved", middle, style));
    }
    let (_, below) = area.split_vertically(top);
    let above = names_above(chart);
    let longest = chart.y.ticks.iter().map(|(_, text)| text.chars().count() as i32).max().unwrap_or(0);
    let title = if chart.y.title.is_empty() { 0 } else { LETTERS + 6 };
    let beside = if above { 2 } else { longest * LETTER_WIDTH + 14 + title };
    let right = MARGIN + 20;
    let x = chart.x.clone().thinned(LETTER_WIDTH, WIDTH as i32 - MARGIN - beside - right);
    let ticks = x.ticks.len();
    let mut plane = ChartBuilder::on(&below)
        .margin_left(MARGIN)
        .margin_right(right)
        .margin_bottom(MARGIN)
        .x_label_area_size(BELOW)
        .y_label_area_size(beside)
        .build_cartesian_2d(x, if above { chart.y.clone().bare() } else { chart.y.clone() })?;
    let mut mesh = plane.configure_mesh();
    if is_bars(chart) {
        mesh.disable_y_mesh();
    }
    mesh.x_labels(ticks)
        .y_labels(chart.y.ticks.len())
        .bold_line_style(GRID)
        .light_line_style(GRID.mix(0.0))
        .axis_style(INK)
        .label_style(letters(INK))
        .axis_desc_style(letters(INK))
        .x_desc(chart.x.title.as_str());
    if !chart.y.title.is_empty() {
        mesh.y_desc(chart.y.title.as_str());
    }
    mesh.draw()?;
    let plot = plane.plotting_area();
    let pixel = |x: f64, y: f64| plot.map_coordinate(&(x, y));
    if above {
        names(chart, area, &pixel)?;
    }
    for mark in &chart.marks {
        self::mark(chart, mark, area, &pixel)?;
    }
    Ok(())
}

/// The names of bars, each above its own.
fn names<B: DrawingBackend>(
    chart: &Chart,
    area: &DrawingArea<B, Shift>,
    pixel: &dyn Fn(f64, f64) -> Pixel,
) -> Drawn<B> {
    for (row, name) in &chart.y.ticks {
        let (x, y) = pixel(chart.x.start(), *row);
        let style = letters(INK).pos(Pos::new(HPos::Left, VPos::Center));
        let name = shortened(name, WIDTH as i32 - 2 * MARGIN - x);
        area.draw(&Text::new(name, (x + 4, y - ROW / 2 + 4), style))?;
    }
    Ok(())
}

/// Where the middle of a row's bar lies.
fn bar_line(chart: &Chart, (x, y): Pixel) -> Pixel {
    (x, if names_above(chart) { y + NAME_LINE / 2 } else { y })
}

fn legend<B: DrawingBackend>(chart: &Chart, area: &DrawingArea<B, Shift>) -> Drawn<B> {
    let columns = legend_columns(chart);
    let width = (WIDTH as i32 - 2 * MARGIN) / columns;
    for (place, (look, name)) in chart.legend.iter().enumerate() {
        let place = place as i32;
        let x = MARGIN + place % columns * width;
        let y = MARGIN + TITLE + place / columns * LEGEND_LINE + LEGEND_LINE / 2;
        line(area, &[(x, y), (x + 28, y)], *look)?;
        symbol(area, (x + 14, y), *look, 1.0)?;
        let style = letters(INK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(shortened(name, width - 36), (x + 36, y), style))?;
    }
    Ok(())
}

fn mark<B: DrawingBackend>(
    chart: &Chart,
    mark: &Mark,
    area: &DrawingArea<B, Shift>,
    pixel: &dyn Fn(f64, f64) -> Pixel,
) -> Drawn<B> {
    match mark {
        Mark::Points { look, at } => {
            let mut drawn = HashSet::new();
            for (x, y) in at.iter().map(|&(x, y)| pixel(x, y)) {
                // What lies within two pixels would only cover it.
                if drawn.insert((x / 2, y / 2)) {
                    symbol(area, (x, y), *look, 0.6)?;
                }
            }
            Ok(())
        }
        Mark::Line { look, at } => {
            let points: Vec<Pixel> = at.iter().map(|&(x, y)| pixel(x, y)).collect();
            line(area, &points, *look)
        }
        Mark::Bar { look, row, to } => {
            let [(left, y), (right, _)] =
                [chart.x.start(), *to].map(|x| bar_line(chart, pixel(x, Axis::row(*row))));
            let half = ROW / 2 - 8;
            area.draw(&Rectangle::new([(left, y - half), (right, y + half)], look.colour.filled()))
        }
        Mark::Whisker { row, from, to } => {
            let [(left, y), (right, _)] = [*from, *to].map(|x| bar_line(chart, pixel(x, Axis::row(*row))));
            // Edged with paper, so that it shows on bars of every colour, light or dark.
            for style in [PAPER.stroke_width(3), INK.stroke_width(1)] {
                area.draw(&PathElement::new([(left, y), (right, y)], style))?;
                for x in [left, right] {
                    area.draw(&PathElement::new([(x, y - 5), (x, y + 5)], style))?;
                }
            }
            Ok(())
        }
        Mark::Label { row, at, text } => {
            let (x, y) = bar_line(chart, pixel(*at, Axis::row(*row)));
            // Rather over its bar than outside.
            let x = (x + 8).min(WIDTH as i32 - 2 - text.chars().count() as i32 * LETTER_WIDTH);
            let style = letters(INK).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(text.as_str(), (x, y), style))
        }
        Mark::Guide { from, to } => {
            let ends = [pixel(from.0, from.1), pixel(to.0, to.1)];
            area.draw(&DashedPathElement::new(ends, 3, 4, INK.mix(0.6).stroke_width(1)))
        }
    }
}

fn line<B: DrawingBackend>(area: &DrawingArea<B, Shift>, points: &[Pixel], look: Look) -> Drawn<B> {
    let style = look.colour.stroke_width(2);
    match look.dash {
        (_, 0) => area.draw(&PathElement::new(points.to_vec(), style)),
        (dash, gap) => area.draw(&DashedPathElement::new(points.to_vec(), dash, gap, style)),
    }
}

fn symbol<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    (x, y): Pixel,
    look: Look,
    opacity: f64,
) -> Drawn<B> {
    let colour = look.colour.mix(opacity);
    let (filled, outline): (ShapeStyle, ShapeStyle) = (colour.filled(), colour.stroke_width(1));
    let strokes = |lines: [[Pixel; 2]; 2]| -> Drawn<B> {
        lines.into_iter().try_for_each(|line| area.draw(&PathElement::new(line, colour.stroke_width(2))))
    };
    match look.symbol {
        Symbol::Disc => area.draw(&Circle::new((x, y), 3, filled)),
        Symbol::Ring => area.draw(&Circle::new((x, y), 3, outline)),
        Symbol::Square => area.draw(&Rectangle::new([(x - 3, y - 3), (x + 3, y + 3)], filled)),
        Symbol::Triangle => {
            area.draw(&Polygon::new(vec![(x - 4, y + 3), (x + 4, y + 3), (x, y - 4)], filled))
        }
        Symbol::Diamond => {
            area.draw(&Polygon::new(vec![(x - 4, y), (x, y - 4), (x + 4, y), (x, y + 4)], filled))
        }
        Symbol::Cross => strokes([[(x - 3, y - 3), (x + 3, y + 3)], [(x - 3, y + 3), (x + 3, y - 3)]]),
        Symbol::Plus => strokes([[(x - 4, y), (x + 4, y)], [(x, y - 4), (x, y + 4)]]),
    }
}
