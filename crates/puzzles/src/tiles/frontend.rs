//! The front-end traits of the sliding-tile puzzle: description, text, registry of solvers, random
//! positions. The registry lists what this size of board supports; `auto` chooses among it
//! (`portfolio.rs`).

use std::borrow::Cow;
use std::sync::Arc;

use rand::Rng;
use untumble_search::control::{Control, Stop};
use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{
    FormatInfo, InputFormat, Parsed, Preset, PuzzleFrontend, PuzzleInfo, PuzzleText, Repair, Shape, Stage,
    Workload,
};
use untumble_search::identity::PuzzleId;
use untumble_search::moves::Move;
use untumble_search::perm::shuffle;
use untumble_search::puzzle::Cost;
use untumble_search::registry::{Registry, Unavailable};
use untumble_search::solve::{self, gpu, tunnel};
use untumble_search::tables::{Table, TableId, Tables, ValueDistribution};
use untumble_search::train::{TrainingConfig, TrainingContext, TrainingError, TrainingResult, train};

use super::distance_table::DistanceTable;
use super::pdb::{self, Pdb};
use super::{
    Board, Cells, GOAL_NAMES, Goal, Size, Tiles, TilesError, beam, device, distance_table, fifteen,
    heuristics, layers, local_path, portfolio, presets, text,
};

/// Whether boards of this size are small enough for the search algorithms.
fn is_searchable(size: Size) -> bool {
    size.rows.max(size.columns) <= Size::MAX_SEARCH_SIDE
}

/// The algorithms of the engine, if the board is small enough for them, and those of sliding tiles.
fn registry<C: Cells>(tiles: &Tiles<C>) -> Registry<Tiles<C>> {
    let size = tiles.size();
    let mut registry = Registry::new(tiles.title()).with_algorithms(solve::entries());
    if !is_searchable(size) {
        for entry in solve::entries::<Tiles<C>>() {
            let reason = Unavailable::TooLarge {
                unit: "rows and columns",
                most: Size::MAX_SEARCH_SIDE.to_string(),
                actual: size.to_string(),
                instead: Some(layers::NAME),
            };
            registry = registry.without(&entry.info.name, reason);
        }
    }
    registry = registry.with_algorithms([layers::entry(), local_path::entry(), distance_table::entry()]);
    if !distance_table::is_available(size) {
        registry = registry.without(distance_table::NAME, distance_table::unavailable(size));
    }
    registry = registry.with_algorithms([device::entry()]);
    if !device::is_available(size) {
        registry = registry.without(gpu::NAME, too_many_cells(size, device::MAX_CELLS));
    }
    if is_searchable(size) {
        registry = heuristics::register(registry, size)
            .with_default_heuristic_for(&[solve::beam::NAME, tunnel::NAME], heuristics::LEARNED);
    }
    beam::register(fifteen::register(registry))
}

fn too_many_cells(size: Size, max_cells: usize) -> Unavailable {
    Unavailable::TooLarge {
        unit: "cells",
        most: max_cells.to_string(),
        actual: size.cells().to_string(),
        instead: None,
    }
}

impl<C: Cells> PuzzleInfo for Tiles<C> {
    fn title(&self) -> String {
        format!("tiles-{}", self.size())
    }

    fn id(&self) -> PuzzleId {
        let goal = Some(self.goal_text()).filter(|goal| goal != GOAL_NAMES[0]);
        PuzzleId { goal, ..PuzzleId::of("tiles", Some(self.size().to_string())) }
    }

    fn metric(&self) -> &str {
        "moves"
    }

    fn goal_text(&self) -> String {
        let goal = self.goal();
        let named = GOAL_NAMES
            .into_iter()
            .find(|name| Goal::named(goal.size(), name).is_ok_and(|known| known == *goal));
        named.map_or_else(|| self.text(&self.solved), str::to_owned)
    }

    fn formats(&self) -> Vec<FormatInfo> {
        text::FORMATS.to_vec()
    }

    fn shape(&self) -> Shape {
        let Size { rows, columns } = self.size();
        Shape { kind: "tiles", sizes: vec![("rows", rows), ("columns", columns)] }
    }

    fn scramble_solver(&self) -> Option<(&'static str, Option<Cost>)> {
        Some((layers::NAME, None))
    }

    fn presets(&self) -> Vec<Preset> {
        presets::presets(self.size())
    }
}

impl<C: Cells> PuzzleText for Tiles<C> {
    fn name(&self, m: Move) -> Cow<'_, str> {
        Cow::Borrowed(text::letter(m))
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        self.parse_move_text(text)
    }

    fn parse(
        &self,
        text: &str,
        at_end: bool,
        format: &InputFormat,
    ) -> Result<Parsed<Board<C>>, Box<Diagnostic>> {
        self.parse_text(text, at_end, format)
    }

    fn input_warning(&self, text: &str, format: &InputFormat) -> Option<Box<Diagnostic>> {
        let (snail, goal) = (GOAL_NAMES[2], self.goal_text());
        let doubtful = goal != snail && text::has_size_line(self.size(), text, format);
        doubtful.then(|| TilesError::UsualGoal { goal, usual: snail }.into())
    }

    fn repairs(&self, text: &str, format: &InputFormat) -> Vec<Repair> {
        self.suggest_repairs(text, format)
    }

    fn check_solvable(&self, board: &Board<C>) -> Result<(), Error> {
        if self.goal().reachable(&self.tile_ids(board)) {
            return Ok(());
        }
        // Most often the board comes from a list that uses another goal: suggest the named goals that make
        // it solvable.
        let labels: Vec<u16> = self.labels(board).collect();
        let solvable = |name: &&str| {
            Goal::named(self.size(), name).is_ok_and(|goal| {
                let ids: Vec<u16> = labels.iter().map(|&label| goal.tile_id(label)).collect();
                goal.reachable(&ids)
            })
        };
        let solvable_with = GOAL_NAMES.into_iter().filter(solvable).collect();
        Err(Error::Unsolvable(TilesError::Parity { solvable_with }.into()))
    }

    fn text(&self, board: &Board<C>) -> String {
        self.format_line(board)
    }

    fn draw(&self, board: &Board<C>, colour: bool) -> String {
        self.picture(board, colour)
    }
}

impl<C: Cells> PuzzleFrontend for Tiles<C> {
    fn registry(&self) -> Registry<Self> {
        registry(self)
    }

    fn auto(&self, workload: &Workload<'_, Board<C>>, tables: &dyn Tables) -> Vec<Stage> {
        let tables_exist = |partition: &str| Pdb::<C>::tables_exist(self.goal(), partition, tables);
        portfolio::stages(self.goal(), workload, &tables_exist)
    }

    fn learn(&self, config: &TrainingConfig, context: TrainingContext<'_>) -> Result<TrainingResult, Error> {
        if !is_searchable(self.size()) {
            let reason =
                format!("only boards up to {most}x{most} are searched", most = Size::MAX_SEARCH_SIDE);
            return Err(TrainingError::TooLarge { puzzle: self.title(), reason }.into());
        }
        train(self, config, context)
    }

    fn value_distribution(
        &self,
        id: &TableId,
        contents: &Arc<Table>,
        control: &Control,
    ) -> Result<Option<ValueDistribution>, Stop> {
        match distance_table::distribution(self.size(), id, contents.bytes()) {
            Some(distribution) => Ok(Some(distribution)),
            None => pdb::distribution(self.size(), id, contents.bytes(), control),
        }
    }

    fn exact_distance(
        &self,
        board: &Board<C>,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<Option<Cost>, Error> {
        if !distance_table::is_available(self.size()) || !self.goal().reachable(&self.tile_ids(board)) {
            return Ok(None);
        }
        Ok(Some(DistanceTable::new(self, tables, control)?.distance(self, board)))
    }

    fn random(&self, rng: &mut dyn Rng) -> Board<C> {
        let cells = self.size().cells();
        let mut ids: Vec<u16> = (0..cells as u16).collect();
        shuffle(&mut ids, rng);
        if !self.goal().reachable(&ids) {
            // A transposition is a bijection from the unsolvable boards to the solvable ones, so the result
            // is uniform.
            let mut tiles = (0..cells).filter(|&cell| ids[cell] != 0);
            if let (Some(a), Some(b)) = (tiles.next(), tiles.next()) {
                ids.swap(a, b);
            }
        }
        self.board(&ids)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::time::Duration;

    use super::super::Goal;
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::control::Limits;
    use untumble_search::frontend::into_dyn;
    use untumble_search::runtime::Runtime;
    use untumble_search::spec::{Spec, SpecError};
    use untumble_search::tables::InMemory;

    fn tiles<C: Cells>(rows: usize, columns: usize) -> Tiles<C> {
        Tiles::new(Goal::named(Size { rows, columns }, "blank-last").expect("a known goal"))
    }

    #[test]
    fn random_boards_are_uniform_over_the_solvable_ones() {
        let tiles = tiles::<u64>(2, 2);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut seen: HashMap<u64, u32> = HashMap::new();
        for _ in 0..12_000 {
            let board = tiles.random(&mut rng);
            assert!(tiles.check_solvable(&board).is_ok(), "{board:?}");
            *seen.entry(board.cells).or_default() += 1;
        }
        assert_eq!(seen.len(), 12, "every solvable board occurs");
        assert!(seen.values().all(|&count| (850..1150).contains(&count)), "{seen:?}");
    }

    #[test]
    fn a_board_of_the_wrong_parity_is_rejected_with_a_goal_that_fits() {
        let tiles = tiles::<u64>(4, 4);
        let text = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0";
        let Ok(Parsed::Position(board)) = tiles.parse(text, true, &InputFormat::default()) else {
            panic!("a board")
        };
        let error = tiles.check_solvable(&board).expect_err("Loyd's 14-15 puzzle");
        assert!(
            matches!(&error, Error::Unsolvable(error) if error.alternatives[0].value == "blank-first"),
            "{error}"
        );
        assert_eq!(tiles.text(&board), text);
    }

    #[test]
    fn auto_and_layers_solve_random_boards() {
        let (runtime, control) = (Runtime::default(), Control::default());
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let puzzles = [
            into_dyn(tiles::<u64>(3, 3)),
            into_dyn(tiles::<u64>(2, 5)),
            into_dyn(tiles::<Box<[u16]>>(17, 9)),
        ];
        for puzzle in puzzles {
            let position = puzzle.scramble(&mut rng, None);
            let workload = Workload {
                position: Some(&position),
                count: 1,
                limits: Limits::default(),
                all_solutions: false,
            };
            let auto = puzzle.auto(&workload, &*runtime.tables).stages;
            for stages in [auto, vec![Spec::plain("layers", None).into()]] {
                let prepared = puzzle.prepare(&stages, &runtime, &control).expect("a known solver");
                let answer = prepared.solve(&position, &Control::default()).expect("its position");
                assert!(answer.report.best.is_some(), "{} by {}", puzzle.title(), answer.solver);
            }
        }
    }

    #[test]
    fn auto_uses_the_distance_table_for_many_small_boards_within_the_limits() {
        let tables = InMemory::default();
        let algorithm = |columns: usize, count: usize, limits: Limits| {
            let workload = Workload { position: None, count, limits, all_solutions: false };
            tiles::<u64>(3, columns).auto(&workload, &tables).remove(0).spec.algorithm
        };
        let (unlimited, short) = (Limits::default(), Some(Duration::from_millis(10)));
        assert_eq!(algorithm(3, 1, unlimited), "astar");
        assert_eq!(algorithm(3, 1000, unlimited), "table");
        assert_eq!(algorithm(3, 1000, Limits { time: short, ..unlimited }), "astar");
        assert_eq!(algorithm(3, 1000, Limits { memory: Some(1 << 20), ..unlimited }), "ida");
        assert_eq!(algorithm(4, 1000, unlimited), "astar");
    }

    #[test]
    fn boards_too_large_to_search_are_rejected_with_the_limit() {
        let tiles = tiles::<Box<[u16]>>(17, 4);
        let rejected = |text: &str| {
            let error = tiles.solver(text, &Runtime::default(), &Control::default()).err()?;
            let Error::Spec { error, .. } = error else { panic!("{text}: {error:?}") };
            Some(error)
        };
        assert_eq!(rejected("layers"), None);
        let too_large = |algorithm: &str, unit, most: &str, actual: &str, instead| SpecError::Unavailable {
            algorithm: algorithm.into(),
            puzzle: "tiles-17x4".into(),
            why: Box::new(Unavailable::TooLarge { unit, most: most.into(), actual: actual.into(), instead }),
        };
        for (text, expected, part) in [
            (
                "ida+manhattan",
                too_large("ida", "rows and columns", "16", "17x4", Some("layers")),
                "at most 16 rows and columns, and it has 17x4",
            ),
            ("table", too_large("table", "cells", "10", "68", None), "at most 10 cells, and it has 68"),
            (
                "layers+manhattan",
                SpecError::HeuristicNotTaken { algorithm: "layers".into(), heuristic: "manhattan".into() },
                "layers uses no heuristic",
            ),
            (
                "layer",
                SpecError::UnknownAlgorithm {
                    name: "layer".into(),
                    puzzle: "tiles-17x4".into(),
                    alternatives: vec!["layers".into()],
                },
                "there is no algorithm `layer` for tiles-17x4",
            ),
        ] {
            let error = rejected(text).expect(text);
            assert!(error.to_string().contains(part), "{text}: {error}");
            assert_eq!(error, expected, "{text}");
        }
        let alternatives = rejected("ida+manhattan").expect("too large").diagnostic().alternatives;
        let values: Vec<&str> = alternatives.iter().map(|alternative| alternative.value.as_str()).collect();
        assert_eq!(values, ["layers"]);
        let registry = tiles.registry();
        let names: Vec<&str> = registry.algorithms().map(|algorithm| &*algorithm.name).collect();
        assert_eq!(names, ["layers", "local-path"]);
    }
}
