//! Sliding tiles as people and programs meet them: names, text, and which solvers there are.

use std::borrow::Cow;
use std::sync::Arc;

use rand::Rng;
use untumble_search::control::Control;
use untumble_search::error::{Diagnostic, Error, invalid};
use untumble_search::frontend::{
    FormatOf, HeuristicOf, InputFormat, Parsed, Preset, PuzzleFrontend, Repair, Shape, Stage, Workload,
    validate,
};
use untumble_search::moves::Move;
use untumble_search::perm::shuffle;
use untumble_search::solve::tunnel::{Beams, Tunnel};
use untumble_search::solve::{
    ALGORITHMS, Algorithm, HeuristicFactory, Solver, Takes, assemble, beam_options, complete, gpu,
};
use untumble_search::spec::{HeuristicExpr, Spec};
use untumble_search::tables::Tables;
use untumble_search::train::{Learning, TrainingConfig, TrainingContext, learn};

use super::beam::{Sheet, Slides};
use super::device;
use super::fifteen;
use super::heuristics::{HEURISTICS, Heuristics};
use super::layers::Layers;
use super::pdb::Pdb;
use super::table::{self, Distances};
use super::{Board, Cells, GOAL_NAMES, Goal, Size, Tiles, choice, text};

/// The algorithms that only sliding tiles have.
const OWN: &[Algorithm] = &[
    Algorithm {
        name: "layers",
        what: "line by line from the rim inwards, at once on any size",
        promise: "none (3x3 and smaller: shortest)",
        takes: Takes::Nothing,
        options: &[],
        saves: false,
    },
    Algorithm {
        name: table::NAME,
        what: "the distances of all positions once, then down them (up to 10 cells; for batches)",
        promise: "shortest",
        takes: Takes::Nothing,
        options: &[],
        saves: false,
    },
];

/// Whether boards of this size are searched, not only solved line by line.
fn searched(size: Size) -> bool {
    size.rows.max(size.columns) <= Size::SEARCHED
}

impl<C: Cells> PuzzleFrontend for Tiles<C> {
    fn title(&self) -> String {
        format!("tiles-{}", self.size())
    }

    fn algorithms(&self) -> Vec<Algorithm> {
        let engine = if searched(self.size()) { ALGORITHMS } else { &[] };
        let own = OWN.iter().filter(|own| own.name != table::NAME || table::possible(self.size()));
        let devices = device::possible(self.size()).then(gpu::offered).flatten();
        engine.iter().chain(own).copied().chain(devices).collect()
    }

    fn heuristics(&self) -> Vec<HeuristicOf> {
        if searched(self.size()) { HEURISTICS.to_vec() } else { Vec::new() }
    }

    fn formats(&self) -> Vec<FormatOf> {
        text::FORMATS.to_vec()
    }

    fn shape(&self) -> Shape {
        let Size { rows, columns } = self.size();
        Shape { kind: "tiles", sizes: vec![("rows", rows), ("columns", columns)] }
    }

    fn presets(&self) -> Vec<Preset> {
        choice::presets(self.size())
    }

    fn validate(&self, spec: &Spec) -> Result<(), Error> {
        let known = ALGORITHMS.iter().any(|algorithm| algorithm.name == spec.algorithm);
        if known && !searched(self.size()) {
            return Err(Error::Usage(format!(
                "{} searches boards of at most {most}x{most}; {} is solved by layers alone",
                spec.algorithm,
                self.title(),
                most = Size::SEARCHED,
            )));
        }
        if spec.algorithm == table::NAME {
            table::validate(self.size())?;
        }
        if spec.algorithm == gpu::NAME && !device::possible(self.size()) {
            return Err(device::too_large(self.size()));
        }
        validate(self, spec)?;
        gpu::validate(spec, device::PROGRAMS, &self.title())
    }

    fn solver(
        &self,
        spec: &Spec,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<(Spec, Box<dyn Solver<Self>>), Error> {
        self.validate(spec)?;
        let bounds = Heuristics::new(self, tables, control);
        // What promises nothing goes by what ranks best.
        let ranked = matches!(spec.algorithm.as_str(), "beam" | "tunnel");
        let default = || if ranked { HeuristicExpr::named("learned") } else { bounds.default_heuristic() };
        let spec = complete(spec, &self.algorithms(), default)?;
        if spec.algorithm == "layers" {
            return Ok((spec, Box::new(Layers)));
        }
        if spec.algorithm == table::NAME {
            return Ok((spec, Box::new(Distances::new(self, tables, control)?)));
        }
        if let (true, Some(HeuristicExpr::Named { name, argument })) = (ranked, &spec.heuristic)
            && name == "learned"
        {
            let (width, seed) = beam_options(&spec);
            let sheet = Arc::new(Sheet::named(self.goal(), argument.as_deref())?);
            let beam = move |width, seed| Slides { sheet: Arc::clone(&sheet), width, seed };
            if spec.algorithm == "beam" {
                return Ok((spec, Box::new(beam(width, seed))));
            }
            let beams: Beams<Self> = Box::new(move |width, seed, tiles: &Self, starts, control| {
                beam(width, seed).solve(tiles, starts, control)
            });
            return Ok((spec, Box::new(Tunnel { beams, width, seed })));
        }
        if spec.algorithm == gpu::NAME {
            let solver = device::named(self, &spec, tables, control)?;
            return Ok((spec, solver));
        }
        let solver = match fifteen::named(self, &spec, tables, control)? {
            Some(own) => own,
            None => assemble(&spec, &bounds)?,
        };
        Ok((spec, solver))
    }

    fn auto(&self, ahead: &Workload<'_, Board<C>>, tables: &dyn Tables) -> Vec<Stage> {
        choice::choose(self.goal(), ahead, &|partition| Pdb::<C>::stands(self.goal(), partition, tables))
    }

    fn name(&self, m: Move) -> Cow<'_, str> {
        Cow::Borrowed(text::name(m))
    }

    fn read_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        self.take_moves(text)
    }

    fn take(&self, text: &str, end: bool, form: &InputFormat) -> Result<Parsed<Board<C>>, Box<Diagnostic>> {
        self.take_text(text, end, form)
    }

    fn repairs(&self, text: &str, form: &InputFormat) -> Vec<Repair> {
        self.near(text, form)
    }

    fn check(&self, board: &Board<C>) -> Result<(), Error> {
        if self.goal().reachable(&self.names(board)) {
            return Ok(());
        }
        // The board of a list whose goal was not said is the likeliest mistake.
        let labels: Vec<u16> = self.names(board).iter().map(|&name| self.goal().label(name.into())).collect();
        let solvable = GOAL_NAMES.into_iter().find(|name| {
            Goal::named(self.size(), name).is_ok_and(|goal| {
                let names: Vec<u16> = labels.iter().map(|&label| goal.name(label)).collect();
                goal.reachable(&names)
            })
        });
        let way_out = solvable.map_or_else(
            || "swapping any two tiles would make it solvable".to_owned(),
            |name| format!("with --goal {name} it can be solved"),
        );
        Err(Error::Unsolvable(invalid(format!(
            "no moves solve it: sliding never reaches half of all arrangements, and this is one of them; {way_out}"
        ))))
    }

    fn learn(&self, lesson: &TrainingConfig, pupil: TrainingContext<'_>) -> Result<Learning, Error> {
        if !searched(self.size()) {
            let most = Size::SEARCHED;
            return Err(Error::Usage(format!("boards beyond {most}x{most} are not searched")));
        }
        learn(self, lesson, pupil)
    }

    fn text(&self, board: &Board<C>) -> String {
        self.line(board)
    }

    fn draw(&self, board: &Board<C>, colour: bool) -> String {
        self.picture(board, colour)
    }

    fn random(&self, rng: &mut dyn Rng) -> Board<C> {
        let cells = self.size().cells();
        let mut names: Vec<u16> = (0..cells as u16).collect();
        shuffle(&mut names, rng);
        if !self.goal().reachable(&names) {
            // Exchanging two tiles pairs off the odd arrangements with the even ones.
            let mut tiles = (0..cells).filter(|&cell| names[cell] != 0);
            if let (Some(a), Some(b)) = (tiles.next(), tiles.next()) {
                names.swap(a, b);
            }
        }
        self.board(&names)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Goal;
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use std::collections::HashMap;
    use untumble_search::control::Limits;
    use untumble_search::frontend::erase;
    use untumble_search::tables::InMemory;

    fn tiles<C: Cells>(rows: usize, columns: usize) -> Tiles<C> {
        Tiles::new(Goal::named(Size { rows, columns }, "blank-last").expect("a known goal"))
    }

    #[test]
    fn random_boards_are_uniform_and_can_be_solved() {
        let tiles = tiles::<u64>(2, 2);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut seen: HashMap<u64, u32> = HashMap::new();
        for _ in 0..12_000 {
            let board = tiles.random(&mut rng);
            assert!(tiles.check(&board).is_ok(), "{board:?}");
            *seen.entry(board.cells).or_default() += 1;
        }
        assert_eq!(seen.len(), 12, "every board that can be solved is drawn");
        assert!(seen.values().all(|&count| (850..1150).contains(&count)), "{seen:?}");
    }

    #[test]
    fn the_wrong_parity_is_refused_with_the_reason() {
        let tiles = tiles::<u64>(4, 4);
        let text = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0";
        let Ok(Parsed::Position(board)) = tiles.take(text, true, &InputFormat::default()) else {
            panic!("a board")
        };
        let why = tiles.check(&board).expect_err("Loyd's 14-15 puzzle");
        assert!(
            matches!(&why, Error::Unsolvable(why) if why.message().contains("with --goal blank-first it can be solved")),
            "{why}"
        );
        assert_eq!(tiles.text(&board), text);
    }

    #[test]
    fn auto_and_layers_solve_what_they_are_given() {
        let (tables, control) = (InMemory::default(), Control::default());
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let puzzles =
            [erase(tiles::<u64>(3, 3)), erase(tiles::<u64>(2, 5)), erase(tiles::<Box<[u16]>>(17, 9))];
        for puzzle in puzzles {
            let position = puzzle.scramble(&mut rng, None);
            let ahead =
                Workload { position: Some(&position), count: 1, limits: Limits::default(), all: false };
            let auto = puzzle.auto(&ahead, &tables);
            for specs in [auto, vec![Spec::plain("layers", None).into()]] {
                let prepared = puzzle.prepare(&specs, &tables, &control).expect("a known solver");
                let answer = prepared.solve(&position, &Control::default());
                assert!(answer.report.best.is_some(), "{} by {}", puzzle.title(), answer.solver);
            }
        }
    }

    #[test]
    fn auto_measures_small_boards_where_many_wait_and_limits_allow_it() {
        let tables = InMemory::default();
        let pick = |columns: usize, count: usize, limits: Limits| {
            let ahead = Workload { position: None, count, limits, all: false };
            tiles::<u64>(3, columns).auto(&ahead, &tables).remove(0).spec.algorithm
        };
        let (free, quick) = (Limits::default(), Some(Duration::from_millis(10)));
        assert_eq!(pick(3, 1, free), "astar");
        assert_eq!(pick(3, 1000, free), "table");
        assert_eq!(pick(3, 1000, Limits { time: quick, ..free }), "astar");
        assert_eq!(pick(3, 1000, Limits { memory: Some(1 << 20), ..free }), "ida");
        assert_eq!(pick(4, 1000, free), "astar");
    }

    #[test]
    fn what_is_too_large_to_search_is_refused_with_the_reason() {
        let (tables, control) = (InMemory::default(), Control::default());
        let tiles = tiles::<Box<[u16]>>(17, 4);
        let refused = |spec: &str| {
            let spec = spec.parse().expect("a spec");
            tiles.solver(&spec, &tables, &control).err().map(|trouble| trouble.to_string())
        };
        assert_eq!(refused("layers"), None);
        for (spec, part) in [
            ("ida+manhattan", "ida searches boards of at most 16x16; tiles-17x4 is solved by layers alone"),
            ("table", "at most 10 cells; tiles-17x4 has 68"),
            ("layers+manhattan", "layers uses no heuristic"),
            ("layer", "did you mean `layers`?"),
        ] {
            let why = refused(spec).expect(spec);
            assert!(why.contains(part), "{spec}: {why}");
        }
        let names: Vec<&str> = tiles.algorithms().iter().map(|algorithm| algorithm.name).collect();
        assert_eq!(names, ["layers"]);
    }
}
