//! The log of a job's events, so that a client that connects late or again receives what still matters.
//!
//! A newer report of progress takes the place of the older one, and so does a better solution of the same position: a slow
//! listener misses nothing that counts, and what is kept stays small.

use axum::response::sse;

use untumble_session::{AnswerEvent, BestEvent, DoneEvent, JobState, ProgressEvent, StateEvent};

/// An event that is kept.
#[derive(Clone, Debug)]
pub(super) enum LoggedEvent {
    State(StateEvent),
    Progress(ProgressEvent),
    Best(BestEvent),
    /// The place among the answers.
    Answer(usize),
    Done(DoneEvent),
}

impl LoggedEvent {
    /// Whether it makes `before` old news.
    fn replaces(&self, before: &LoggedEvent) -> bool {
        match (self, before) {
            (LoggedEvent::State(_), LoggedEvent::State(_))
            | (LoggedEvent::Progress(_), LoggedEvent::Progress(_)) => true,
            (LoggedEvent::Best(new), LoggedEvent::Best(old)) => new.position == old.position,
            (LoggedEvent::Answer(_) | LoggedEvent::Done(_), LoggedEvent::Progress(_)) => true,
            _ => false,
        }
    }
}

/// The events of a job, and its answers.
#[derive(Debug)]
pub(super) struct JobLog {
    pub(super) state: JobState,
    pub(super) error: Option<String>,
    pub(super) answers: Vec<AnswerEvent>,
    /// With the number that it was told under.
    told: Vec<(u64, LoggedEvent)>,
    last: u64,
}

impl JobLog {
    /// A job that waits.
    pub(super) fn new(positions: usize) -> JobLog {
        let mut course =
            JobLog { state: JobState::Queued, error: None, answers: Vec::new(), told: Vec::new(), last: 0 };
        course.add(LoggedEvent::State(StateEvent { state: JobState::Queued, positions, error: None }));
        course
    }

    /// Adds an event.
    pub(super) fn add(&mut self, new: LoggedEvent) {
        self.told.retain(|(_, before)| !new.replaces(before));
        self.last += 1;
        self.told.push((self.last, new));
    }

    /// The number of the last event.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// What there is to hear after the event of that number, ready to be sent, and whether it is all there will be.
    pub(super) fn after(&self, heard: u64) -> (Vec<sse::Event>, bool) {
        let new = self.told.iter().filter(|(id, _)| *id > heard);
        let events = new.map(|(id, told)| self.event(*id, told)).collect();
        (events, self.state.is_final())
    }

    fn event(&self, id: u64, told: &LoggedEvent) -> sse::Event {
        let (name, data) = match told {
            LoggedEvent::State(event) => ("state", serde_json::to_string(event)),
            LoggedEvent::Progress(event) => ("progress", serde_json::to_string(event)),
            LoggedEvent::Best(event) => ("best", serde_json::to_string(event)),
            LoggedEvent::Answer(place) => ("answer", serde_json::to_string(&self.answers[*place])),
            LoggedEvent::Done(event) => ("done", serde_json::to_string(event)),
        };
        sse::Event::default().id(id.to_string()).event(name).data(data.expect("events fit JSON"))
    }

    /// About how many bytes it takes to keep.
    pub(super) fn bytes(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let answer = |event: &AnswerEvent| {
            let answer = &event.answer;
            let solutions = answer.solutions.iter().flatten().map(String::len).sum::<usize>();
            // A path is kept three times: as moves, as a line for people, and as the best there is.
            500 + answer.start.len() + 3 * text(&answer.moves) + 2 * solutions
        };
        1000 + self.answers.iter().map(answer).sum::<usize>()
    }
}
