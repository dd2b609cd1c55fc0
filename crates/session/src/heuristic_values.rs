//! The values of all heuristics of a puzzle for one position.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use untumble_search::control::{Control, Limits, Stop};
use untumble_search::error::Error;
use untumble_search::frontend::Position;
use untumble_search::heuristic::Admissibility;
use untumble_search::registry::{Argument, HeuristicInfo};
use untumble_search::runtime::Runtime;
use untumble_search::spec::HeuristicExpr;
use untumble_search::tables::{Build, Table, TableId, Tables};

use crate::record::Record;
use crate::session::{SearchContext, Session};

/// The largest table in bytes that is built for a heuristic value unless all may be built. Tables of this
/// size take less than about a second to build.
const SMALL_TABLE: usize = 8 << 20;

/// The tables that may be built for heuristic values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableBuilding {
    /// Tables of at most 8 MiB.
    Small,
    /// All tables.
    All,
}

/// The values of all heuristics for a position. The serialised fields are the keys of the JSON line, in this
/// order.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct HeuristicValues {
    /// The version of this format: [`Record::SCHEMA`].
    pub schema: u32,
    /// The puzzle's full name.
    pub puzzle: String,
    /// The metric in which moves are counted.
    pub metric: String,
    /// The canonical text of the goal.
    pub goal: String,
    /// The position on one line.
    pub start: String,
    /// The distance to the goal, if a table of all positions exists or is small.
    pub distance: Option<u32>,
    /// The heuristics in the order of the registry.
    pub heuristics: Vec<HeuristicValue>,
}

/// The value of one heuristic.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct HeuristicValue {
    /// The heuristic as a solver text names it, with the argument that it needs.
    pub name: String,
    /// The value; null if a table is missing or the heuristic does not apply.
    pub h: Option<u32>,
    /// Whether it never overestimates.
    pub admissible: bool,
    /// Whether a move never lowers it by more than the cost of the move.
    pub consistent: bool,
    /// The memory of its tables in bytes; null if it depends on a missing table.
    pub memory: Option<u64>,
    /// The tables that it requested, up to the first missing one.
    pub tables: Vec<HeuristicTable>,
    /// Why there is no value; null if there is one.
    pub reason: Option<String>,
}

/// A table of a heuristic.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct HeuristicTable {
    /// The identity of the table: puzzle, pattern and metric.
    pub table: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Whether it need not be built.
    pub available: bool,
}

impl HeuristicValue {
    /// The table that is missing, if that is why there is no value.
    pub fn missing_table(&self) -> Option<&HeuristicTable> {
        self.tables.iter().find(|table| !table.available).filter(|_| self.h.is_none())
    }
}

impl Session {
    /// The values of all heuristics for a position of this puzzle, each with its default argument or the
    /// example of a required one. Limits of the search do not apply; the memory limit is `memory`. An
    /// unsolvable position is an error.
    pub fn heuristic_values(
        &self,
        position: &Position,
        building: TableBuilding,
        limits: Limits,
        context: &SearchContext,
    ) -> Result<HeuristicValues, Error> {
        let puzzle = self.puzzle();
        puzzle.check_solvable(position)?;
        let control = Control::with_account(&context.account, limits, Arc::clone(&context.observer));
        let evaluate = |info: &HeuristicInfo| self.heuristic_value(position, info, building, &control);
        let heuristics = puzzle.heuristics().iter().map(evaluate).collect::<Result<_, _>>()?;
        let tables = self.selective_tables(building);
        let distance = tables.unless_missing(puzzle.exact_distance(position, &*tables, &control))?.flatten();
        Ok(HeuristicValues {
            schema: Record::SCHEMA,
            puzzle: puzzle.title(),
            metric: puzzle.metric().to_owned(),
            goal: puzzle.goal_text(),
            start: puzzle.text(position),
            distance,
            heuristics,
        })
    }

    fn heuristic_value(
        &self,
        position: &Position,
        info: &HeuristicInfo,
        building: TableBuilding,
        control: &Control,
    ) -> Result<HeuristicValue, Error> {
        let argument = match info.argument {
            Argument::Required { example, .. } => Some(example.to_owned()),
            Argument::None | Argument::Optional { .. } => None,
        };
        let expr = HeuristicExpr::Named { name: info.name.to_string(), argument };
        let tables = self.selective_tables(building);
        let runtime: Runtime = self.runtime().clone().with_tables(Arc::clone(&tables) as Arc<dyn Tables>);
        let (h, reason) = match self.puzzle().heuristic_value(position, &expr, &runtime, control) {
            Ok(h) => (Some(h), None),
            Err(_) if tables.is_missing() => (None, Some("a table is missing".to_owned())),
            Err(Error::Stopped(Stop::Memory)) => (None, Some("it needs more memory".to_owned())),
            Err(Error::Stopped(stop)) => return Err(Error::Stopped(stop)),
            // The heuristic does not apply to this puzzle or goal.
            Err(error) => (None, Some(error.to_string())),
        };
        let requests = tables.requests();
        let known = h.is_some().then(|| requests.iter().map(|table| table.bytes).sum());
        Ok(HeuristicValue {
            name: expr.to_string(),
            h,
            admissible: info.admissibility != Admissibility::None,
            consistent: info.admissibility == Admissibility::Consistent,
            memory: info.memory.or(known),
            tables: requests,
            reason,
        })
    }

    fn selective_tables(&self, building: TableBuilding) -> Arc<SelectiveTables> {
        let max_build = match building {
            TableBuilding::Small => SMALL_TABLE,
            TableBuilding::All => usize::MAX,
        };
        let inner = Arc::clone(&self.runtime().tables);
        Arc::new(SelectiveTables { inner, max_build, requests: Mutex::default() })
    }
}

/// Tables of another source of which only small ones are built; records the requests.
struct SelectiveTables {
    inner: Arc<dyn Tables>,
    /// The size in bytes up to which a table is built.
    max_build: usize,
    requests: Mutex<Vec<HeuristicTable>>,
}

impl SelectiveTables {
    fn lock(&self) -> MutexGuard<'_, Vec<HeuristicTable>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_missing(&self) -> bool {
        self.lock().iter().any(|table| !table.available)
    }

    fn requests(&self) -> Vec<HeuristicTable> {
        self.lock().clone()
    }

    /// The result of a computation with these tables; `None` if it failed because a table is missing.
    fn unless_missing<T>(&self, result: Result<T, Error>) -> Result<Option<T>, Error> {
        match result {
            Err(_) if self.is_missing() => Ok(None),
            Err(Error::Stopped(Stop::Memory)) => Ok(None),
            other => other.map(Some),
        }
    }
}

impl Tables for SelectiveTables {
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Error> {
        let may_get = length <= self.max_build || self.inner.is_available(id, length);
        let result =
            if may_get { self.inner.get(id, length, control, build) } else { Err(Stop::Memory.into()) };
        let entry = HeuristicTable { table: id.to_string(), bytes: length as u64, available: may_get };
        let mut requests = self.lock();
        if !requests.contains(&entry) {
            requests.push(entry);
        }
        result
    }

    fn is_available(&self, id: &TableId, length: usize) -> bool {
        self.inner.is_available(id, length)
    }
}
