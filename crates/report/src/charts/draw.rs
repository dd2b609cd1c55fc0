//! Draws a chart on any plotters backend, which writes SVG or PNG. A [`Chart`] holds axes and marks (points,
//! lines, bars, labels) in data coordinates; here they become pixels.

use std::collections::HashSet;

use plotters::chart::ChartBuilder;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::theme::{BACKGROUND, FOREGROUND, GRID, Marker};
use super::{Axis, Chart, Mark, SeriesStyle, WIDTH};

type DrawResult<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;
/// Coordinates in pixels.
type Pixel = (i32, i32);

// Sizes in CSS pixels.
const MARGIN: i32 = 12;
const TITLE_HEIGHT: i32 = 34;
/// The nominal font size; plotters divides it by 1.24.
const FONT_SIZE: i32 = 19;
/// The approximate width of a letter at that size.
const LETTER_WIDTH: i32 = 9;
const LEGEND_LINE_HEIGHT: i32 = 22;
const PLOT_HEIGHT: i32 = 330;
/// The height of a bar with its padding.
const BAR_ROW_HEIGHT: i32 = 40;
/// The height of a name that is placed above its bar.
const NAME_LINE_HEIGHT: i32 = 20;
/// Names with more letters are placed above the bars, because they would leave no room beside them.
const MAX_NAME_BESIDE_BAR: usize = 24;
const X_AXIS_HEIGHT: i32 = 64;

/// The height of a chart.
pub(super) fn height(chart: &Chart) -> u32 {
    let plot = if is_bar_chart(chart) { chart.y.ticks.len() as i32 * row_height(chart) } else { PLOT_HEIGHT };
    (plot_top(chart) + plot + X_AXIS_HEIGHT + MARGIN) as u32
}

fn is_bar_chart(chart: &Chart) -> bool {
    chart.marks.iter().any(|mark| matches!(mark, Mark::Bar { .. }))
}

/// Whether the names are placed above the bars.
fn names_above_bars(chart: &Chart) -> bool {
    is_bar_chart(chart) && chart.y.ticks.iter().any(|(_, name)| name.chars().count() > MAX_NAME_BESIDE_BAR)
}

fn row_height(chart: &Chart) -> i32 {
    if names_above_bars(chart) { BAR_ROW_HEIGHT + NAME_LINE_HEIGHT } else { BAR_ROW_HEIGHT }
}

/// The text with its middle elided to fit the width; solver texts differ at their beginnings and ends.
fn elide(text: &str, width: i32) -> String {
    let max_length = (width / LETTER_WIDTH).max(3) as usize;
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= max_length {
        return text.to_owned();
    }
    let tail_length = (max_length - 1) / 2;
    let head_length = max_length - 1 - tail_length;
    let (head, tail) = (&letters[..head_length], &letters[letters.len() - tail_length..]);
    format!("{}…{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}

/// The number of legend entries in a line.
fn legend_columns(chart: &Chart) -> i32 {
    let longest = chart.legend.iter().map(|(_, name)| name.chars().count() as i32).max().unwrap_or(0);
    ((WIDTH as i32 - 2 * MARGIN) / (longest * LETTER_WIDTH + 44)).clamp(1, 4)
}

fn legend_lines(chart: &Chart) -> i32 {
    (chart.legend.len() as i32 + legend_columns(chart) - 1) / legend_columns(chart)
}

/// The y coordinate of the top of the plot.
fn plot_top(chart: &Chart) -> i32 {
    MARGIN + TITLE_HEIGHT + legend_lines(chart) * LEGEND_LINE_HEIGHT + MARGIN
}

fn text_style<'a>(colour: RGBColor) -> TextStyle<'a> {
    ("sans-serif", FONT_SIZE).into_font().color(&colour)
}

/// Draws title, legend, axes and marks.
pub(super) fn draw<B: DrawingBackend>(chart: &Chart, area: &DrawingArea<B, Shift>) -> DrawResult<B> {
    area.fill(&BACKGROUND)?;
    let title = ("sans-serif", FONT_SIZE + 4).into_font().color(&FOREGROUND);
    area.draw(&Text::new(chart.title, (MARGIN, MARGIN), title))?;
    legend(chart, area)?;
    let top = plot_top(chart);
    if chart.marks.is_empty() {
        let middle = (WIDTH as i32 / 2, top + PLOT_HEIGHT / 3);
        let style = text_style(FOREGROUND).pos(Pos::new(HPos::Center, VPos::Center));
        return area.draw(&Text::new("no data: no position was solved", middle, style));
    }
    let (_, below) = area.split_vertically(top);
    let names_above = names_above_bars(chart);
    let longest = chart.y.ticks.iter().map(|(_, text)| text.chars().count() as i32).max().unwrap_or(0);
    let y_title_width = if chart.y.title.is_empty() { 0 } else { FONT_SIZE + 6 };
    // Without names beside the bars, half of the first label of the x axis needs the room.
    let first_label = chart.x.ticks.first().map_or(0, |(_, text)| text.chars().count() as i32);
    let y_axis_width = if names_above {
        (first_label * LETTER_WIDTH / 2 - MARGIN).max(0) + 2
    } else {
        longest * LETTER_WIDTH + 14 + y_title_width
    };
    let right_margin = MARGIN + 20;
    let x = chart.x.clone().thinned(LETTER_WIDTH, WIDTH as i32 - MARGIN - y_axis_width - right_margin);
    let ticks = x.ticks.len();
    let mut plane = ChartBuilder::on(&below)
        .margin_left(MARGIN)
        .margin_right(right_margin)
        .margin_bottom(MARGIN)
        .x_label_area_size(X_AXIS_HEIGHT)
        .y_label_area_size(y_axis_width)
        .build_cartesian_2d(x, if names_above { chart.y.clone().without_ticks() } else { chart.y.clone() })?;
    let mut mesh = plane.configure_mesh();
    if is_bar_chart(chart) {
        mesh.disable_y_mesh();
    }
    mesh.x_labels(ticks)
        .y_labels(chart.y.ticks.len())
        .bold_line_style(GRID)
        .light_line_style(GRID.mix(0.0))
        .axis_style(FOREGROUND)
        .label_style(text_style(FOREGROUND))
        .axis_desc_style(text_style(FOREGROUND))
        .x_desc(chart.x.title.as_str());
    if !chart.y.title.is_empty() {
        mesh.y_desc(chart.y.title.as_str());
    }
    mesh.draw()?;
    let plot = plane.plotting_area();
    let pixel = |x: f64, y: f64| plot.map_coordinate(&(x, y));
    if names_above {
        bar_names(chart, area, &pixel)?;
    }
    for mark in &chart.marks {
        draw_mark(chart, mark, area, &pixel)?;
    }
    Ok(())
}

/// Draws the names above their bars.
fn bar_names<B: DrawingBackend>(
    chart: &Chart,
    area: &DrawingArea<B, Shift>,
    pixel: &dyn Fn(f64, f64) -> Pixel,
) -> DrawResult<B> {
    for (row, name) in &chart.y.ticks {
        let (x, y) = pixel(chart.x.start(), *row);
        let style = text_style(FOREGROUND).pos(Pos::new(HPos::Left, VPos::Center));
        let name = elide(name, WIDTH as i32 - 2 * MARGIN - x);
        area.draw(&Text::new(name, (x + 4, y - BAR_ROW_HEIGHT / 2 + 4), style))?;
    }
    Ok(())
}

/// The vertical centre of a bar, given the centre of its row.
fn bar_centre(chart: &Chart, (x, y): Pixel) -> Pixel {
    (x, if names_above_bars(chart) { y + NAME_LINE_HEIGHT / 2 } else { y })
}

fn legend<B: DrawingBackend>(chart: &Chart, area: &DrawingArea<B, Shift>) -> DrawResult<B> {
    let columns = legend_columns(chart);
    let width = (WIDTH as i32 - 2 * MARGIN) / columns;
    for (index, (style, name)) in chart.legend.iter().enumerate() {
        let index = index as i32;
        let x = MARGIN + index % columns * width;
        let y = MARGIN + TITLE_HEIGHT + index / columns * LEGEND_LINE_HEIGHT + LEGEND_LINE_HEIGHT / 2;
        line(area, &[(x, y), (x + 28, y)], *style)?;
        marker(area, (x + 14, y), *style, 1.0)?;
        let style = text_style(FOREGROUND).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(elide(name, width - 36), (x + 36, y), style))?;
    }
    Ok(())
}

fn draw_mark<B: DrawingBackend>(
    chart: &Chart,
    mark: &Mark,
    area: &DrawingArea<B, Shift>,
    pixel: &dyn Fn(f64, f64) -> Pixel,
) -> DrawResult<B> {
    match mark {
        Mark::Points { style, points } => {
            let mut drawn = HashSet::new();
            for (x, y) in points.iter().map(|&(x, y)| pixel(x, y)) {
                // A second marker within two pixels would cover the first one.
                if drawn.insert((x / 2, y / 2)) {
                    marker(area, (x, y), *style, 0.6)?;
                }
            }
            Ok(())
        }
        Mark::Line { style, points } => {
            let pixels: Vec<Pixel> = points.iter().map(|&(x, y)| pixel(x, y)).collect();
            line(area, &pixels, *style)
        }
        Mark::Bar { style, row, to } => {
            let [(left, y), (right, _)] =
                [chart.x.start(), *to].map(|x| bar_centre(chart, pixel(x, Axis::row_centre(*row))));
            let half = BAR_ROW_HEIGHT / 2 - 8;
            area.draw(&Rectangle::new([(left, y - half), (right, y + half)], style.colour.filled()))
        }
        Mark::Whisker { row, from, to } => {
            let [(left, y), (right, _)] =
                [*from, *to].map(|x| bar_centre(chart, pixel(x, Axis::row_centre(*row))));
            // An outline in the background colour keeps the whisker visible on every bar.
            for style in [BACKGROUND.stroke_width(3), FOREGROUND.stroke_width(1)] {
                area.draw(&PathElement::new([(left, y), (right, y)], style))?;
                for x in [left, right] {
                    area.draw(&PathElement::new([(x, y - 5), (x, y + 5)], style))?;
                }
            }
            Ok(())
        }
        Mark::Label { row, x, text } => {
            let (x, y) = bar_centre(chart, pixel(*x, Axis::row_centre(*row)));
            // A label that would leave the chart is shifted over the bar.
            let x = (x + 8).min(WIDTH as i32 - 2 - text.chars().count() as i32 * LETTER_WIDTH);
            let style = text_style(FOREGROUND).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(text.as_str(), (x, y), style))
        }
        Mark::Guide { from, to } => {
            let ends = [pixel(from.0, from.1), pixel(to.0, to.1)];
            area.draw(&DashedPathElement::new(ends, 3, 4, FOREGROUND.mix(0.6).stroke_width(1)))
        }
    }
}

fn line<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    points: &[Pixel],
    style: SeriesStyle,
) -> DrawResult<B> {
    let stroke = style.colour.stroke_width(2);
    match style.dash {
        (_, 0) => area.draw(&PathElement::new(points.to_vec(), stroke)),
        (dash, gap) => area.draw(&DashedPathElement::new(points.to_vec(), dash, gap, stroke)),
    }
}

fn marker<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    (x, y): Pixel,
    style: SeriesStyle,
    opacity: f64,
) -> DrawResult<B> {
    let colour = style.colour.mix(opacity);
    let (filled, outline): (ShapeStyle, ShapeStyle) = (colour.filled(), colour.stroke_width(1));
    let strokes = |lines: [[Pixel; 2]; 2]| -> DrawResult<B> {
        lines.into_iter().try_for_each(|line| area.draw(&PathElement::new(line, colour.stroke_width(2))))
    };
    match style.marker {
        Marker::Disc => area.draw(&Circle::new((x, y), 3, filled)),
        Marker::Ring => area.draw(&Circle::new((x, y), 3, outline)),
        Marker::Square => area.draw(&Rectangle::new([(x - 3, y - 3), (x + 3, y + 3)], filled)),
        Marker::Triangle => {
            area.draw(&Polygon::new(vec![(x - 4, y + 3), (x + 4, y + 3), (x, y - 4)], filled))
        }
        Marker::Diamond => {
            area.draw(&Polygon::new(vec![(x - 4, y), (x, y - 4), (x + 4, y), (x, y + 4)], filled))
        }
        Marker::Cross => strokes([[(x - 3, y - 3), (x + 3, y + 3)], [(x - 3, y + 3), (x + 3, y - 3)]]),
        Marker::Plus => strokes([[(x - 4, y), (x + 4, y)], [(x, y - 4), (x, y + 4)]]),
    }
}
