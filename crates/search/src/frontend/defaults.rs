//! Default behaviour of [`PuzzleInfo`](super::PuzzleInfo), [`PuzzleText`] and [`PuzzleFrontend`], for
//! puzzles that define only their rules and the text of a position.

use rand::Rng;

use super::{FormatInfo, InputFormat, InputKind, Parsed, PuzzleFrontend, PuzzleText};
use crate::error::{AlternativeKind, Diagnostic, PieceKind, PieceRef, similar, span_in};
use crate::heuristic::Zero;
use crate::moves::Move;
use crate::perm::below;
use crate::puzzle::{Puzzle, Requirements};
use crate::registry::{HeuristicEntry, HeuristicInfo, Registry};
use crate::solve;
use crate::spec::Spec;

/// The formats that [`parse`] accepts.
pub(super) const FORMATS: &[FormatInfo] = &[
    FormatInfo { name: "line", what: "a position on one line" },
    FormatInfo { name: "moves", what: "moves from solved, separated by white space" },
];

/// Parses move names separated by white space.
pub(super) fn parse_moves<P: PuzzleText + ?Sized>(
    puzzle: &P,
    text: &str,
) -> Result<Vec<Move>, Box<Diagnostic>> {
    let all = || Move::first_n(puzzle.move_count());
    let parse = |word: &str| {
        all().find(|&m| puzzle.name(m) == word).ok_or_else(|| {
            let names: Vec<_> = all().map(|m| puzzle.name(m)).collect();
            let unknown = Diagnostic::new("unknown-move", format!("there is no move `{word}`"));
            let alternatives = similar(word, names.iter().map(|name| &**name));
            Box::new(unknown.at(span_in(text, word)).with_alternatives(AlternativeKind::Move, alternatives))
        })
    };
    text.split_whitespace().map(parse).collect()
}

/// The error of a puzzle that defines no format of positions.
pub(super) fn no_position_format(line: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new("no-position", format!("`{line}` is not a position")))
}

/// Parses the last line of `text`: a position, or a sequence of moves from solved.
pub(super) fn parse<P: PuzzleText + ?Sized>(
    puzzle: &P,
    text: &str,
    format: &InputFormat,
) -> Result<Parsed<P::State>, Box<Diagnostic>> {
    let line = text.lines().next_back().unwrap_or_default().trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(Parsed::Nothing);
    }
    let kind = match format.format.as_deref() {
        Some("moves") => Some(InputKind::Moves),
        Some("line") => Some(InputKind::Position),
        _ => format.kind,
    };
    let state = match kind {
        Some(InputKind::Position) => puzzle.parse_position(line),
        Some(InputKind::Moves) => after_moves(puzzle, line),
        // If both readings fail and the line consists of move names, report the illegal move.
        None => puzzle.parse_position(line).or_else(|error| {
            after_moves(puzzle, line)
                .map_err(|other| if other.code == "illegal-move" { other } else { error })
        }),
    };
    state.map(Parsed::Position).map_err(|error| relocate(*error, text, line))
}

/// The state after the moves on `line`, made from solved.
fn after_moves<P: PuzzleText + ?Sized>(puzzle: &P, line: &str) -> Result<P::State, Box<Diagnostic>> {
    let path = puzzle.parse_moves(line)?;
    puzzle.replay(&puzzle.solved(), &path).map_err(|index| {
        let name = puzzle.name(path[index]).into_owned();
        let message = format!("move {} of {}, `{name}`, is illegal", index + 1, path.len());
        let piece = PieceRef::new(PieceKind::Move, name, [index]);
        Box::new(Diagnostic::new("illegal-move", message).about([piece]))
    })
}

/// The same error with its span counted from the beginning of `text`, of which `line` is a part.
fn relocate(error: Diagnostic, text: &str, line: &str) -> Box<Diagnostic> {
    let start = span_in(text, line).map_or(0, |span| span.start);
    let span = error.span.clone().map(|span| span.start + start..span.end + start);
    Box::new(error.at(span))
}

/// The engine's algorithms with the heuristic `zero`.
pub(super) fn registry<P: PuzzleFrontend>(puzzle: &P) -> Registry<P> {
    let zero = HeuristicInfo::new("zero", "no estimate: 0 for every position");
    Registry::new(puzzle.title())
        .with_algorithms(solve::entries())
        .with_heuristics([HeuristicEntry::new(zero, |_, _| Ok(Zero))])
}

/// A solver that needs no heuristic.
pub(super) fn auto<P: Puzzle>(puzzle: &P) -> Spec {
    let bidirectional = Requirements::INVERSES_AND_GOAL_STATES.check(puzzle).is_ok();
    Spec::plain(if bidirectional { "bibfs" } else { "iddfs" }, None)
}

/// The state after `length` random legal moves, none of which undoes the one before it. `on_move` receives
/// each move.
pub(super) fn random_walk<P: Puzzle + ?Sized>(
    puzzle: &P,
    start: P::State,
    length: usize,
    rng: &mut dyn Rng,
    mut on_move: impl FnMut(Move),
) -> P::State {
    let mut state = start;
    let mut last_move: Option<Move> = None;
    for _ in 0..length {
        let moves: Vec<Move> = (puzzle.legal(&state) - puzzle.undo_set(last_move)).into_iter().collect();
        let Some(&m) = moves.get(below(rng, moves.len())) else { break };
        state = puzzle.apply(&state, m);
        last_move = Some(m);
        on_move(m);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Control, Limits};
    use crate::frontend::{PuzzleInfo, Stage, Workload, into_dyn};
    use crate::moves::{MoveAutomaton, MoveSet};
    use crate::runtime::Runtime;
    use crate::tables::Tables;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// The cyclic group of order 12, generated by the steps 1, 5 and their inverses: a clock with one hand.
    struct Dial {
        automaton: MoveAutomaton,
        stages: Vec<Stage>,
    }

    const STEPS: [u8; 4] = [1, 5, 7, 11];

    impl Dial {
        fn new(stages: &[&str]) -> Dial {
            let inverses: Vec<Move> = [3, 2, 1, 0].map(Move).to_vec();
            let stages = stages.iter().map(|text| text.parse::<Spec>().expect("a solver text").into());
            Dial { automaton: MoveAutomaton::no_undo(&inverses), stages: stages.collect() }
        }
    }

    impl Puzzle for Dial {
        type State = u8;
        type Key = u8;
        type Moves = MoveSet;

        fn solved(&self) -> u8 {
            0
        }
        fn apply(&self, hour: &u8, m: Move) -> u8 {
            (hour + STEPS[m.index()]) % 12
        }
        fn inverse(&self, m: Move) -> Option<Move> {
            Some(Move(3 - m.0))
        }
        fn automaton(&self) -> &MoveAutomaton {
            &self.automaton
        }
        fn pack(&self, hour: &u8) -> u8 {
            *hour
        }
        fn unpack(&self, key: &u8) -> u8 {
            *key
        }
    }

    impl PuzzleInfo for Dial {
        fn title(&self) -> String {
            "dial-12".into()
        }
    }

    impl PuzzleText for Dial {
        fn text(&self, hour: &u8) -> String {
            format!("{hour}:00")
        }
        fn parse_position(&self, line: &str) -> Result<u8, Box<Diagnostic>> {
            let hour = line.strip_suffix(":00").and_then(|hour| hour.parse().ok());
            hour.filter(|&hour| hour < 12).ok_or_else(|| no_position_format(line))
        }
    }

    impl PuzzleFrontend for Dial {
        fn auto(&self, _workload: &Workload<'_, u8>, _tables: &dyn Tables) -> Vec<Stage> {
            if self.stages.is_empty() { vec![auto(self).into()] } else { self.stages.clone() }
        }
    }

    #[test]
    fn the_default_methods_obey_the_laws_of_a_puzzle() {
        let dial = Dial::new(&[]);
        crate::laws::puzzle(&dial, &mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!(dial.id().to_string(), "dial-12");
    }

    #[test]
    fn a_line_is_a_position_or_moves_and_errors_have_spans() {
        let dial = Dial::new(&[]);
        let parse = |text: &str, kind| dial.parse(text, true, &InputFormat { kind, format: None });
        assert_eq!(parse(" 7:00 ", None), Ok(Parsed::Position(7)));
        assert_eq!(parse("# comment", None), Ok(Parsed::Nothing));
        // Moves are numbered from 1: steps 1, 5 and 5.
        assert_eq!(parse("1 2 2", None), Ok(Parsed::Position(11)));
        assert_eq!(
            parse("1 2 2", Some(InputKind::Position)).expect_err("not a position").code,
            "no-position"
        );
        let unknown = parse("  1 9 2", Some(InputKind::Moves)).expect_err("there are four moves");
        assert_eq!((unknown.code, unknown.span), ("unknown-move", Some(4..5)));
    }

    #[test]
    fn auto_skips_stages_that_the_registry_cannot_build() {
        let limits = Limits::default();
        let unknown = "skipping no-such-solver: there is no algorithm `no-such-solver` for dial-12";
        for (stages, expected, warnings) in [
            (&[][..], "bibfs", &[][..]),
            (&["no-such-solver", "bfs"], "bfs", &[unknown]),
            (&["bfs", "no-such-solver", "iddfs"], "bfs, then iddfs", &[unknown]),
            (&["no-such-solver"], "bibfs", &[unknown]),
        ] {
            let puzzle = into_dyn(Dial::new(stages));
            let position = puzzle.solved();
            let runtime = Runtime::default();
            let auto = puzzle.auto(&Workload::one(&position, limits, false), &*runtime.tables);
            let stages = auto.stages;
            assert_eq!(crate::frontend::stage_names(&stages), expected);
            assert_eq!(auto.warnings, warnings, "{expected}");
            let solvers = puzzle.prepare(&stages, &runtime, &Control::default()).expect("a known solver");
            let answer = solvers.solve(&position, &Control::default()).expect("its own position");
            assert_eq!(answer.report.best.map(|best| best.cost), Some(0));
        }
    }
}
