//! The event log of a job. Because of it, a client that connects late or reconnects misses nothing relevant.
//!
//! An event replaces the older events it supersedes: progress replaces progress, and a better solution
//! replaces the previous one of the same position. The log therefore stays small.

use axum::response::sse;

use untumble_session::{AnswerEvent, BestEvent, DoneEvent, JobError, JobState, ProgressEvent, StateEvent};

/// An event of the log.
#[derive(Clone, Debug)]
pub(super) enum LoggedEvent {
    State(StateEvent),
    Progress(ProgressEvent),
    Best(BestEvent),
    /// The index into [`JobLog::answers`].
    Answer(usize),
    Done(DoneEvent),
}

impl LoggedEvent {
    /// Whether this event makes `earlier` obsolete.
    fn supersedes(&self, earlier: &LoggedEvent) -> bool {
        match (self, earlier) {
            (LoggedEvent::State(_), LoggedEvent::State(_))
            | (LoggedEvent::Progress(_), LoggedEvent::Progress(_)) => true,
            (LoggedEvent::Best(new), LoggedEvent::Best(old)) => new.position == old.position,
            (LoggedEvent::Answer(_) | LoggedEvent::Done(_), LoggedEvent::Progress(_)) => true,
            _ => false,
        }
    }
}

/// The state, answers and current events of a job.
#[derive(Debug)]
pub(super) struct JobLog {
    pub(super) state: JobState,
    pub(super) error: Option<JobError>,
    pub(super) answers: Vec<AnswerEvent>,
    /// Events with their ids, ascending.
    events: Vec<(u64, LoggedEvent)>,
    last_id: u64,
}

impl JobLog {
    /// The log of a queued job.
    pub(super) fn new(positions: usize) -> JobLog {
        let mut log = JobLog {
            state: JobState::Queued,
            error: None,
            answers: Vec::new(),
            events: Vec::new(),
            last_id: 0,
        };
        log.add(LoggedEvent::State(StateEvent::new(JobState::Queued, positions, None)));
        log
    }

    /// Appends an event and removes those it supersedes.
    pub(super) fn add(&mut self, new: LoggedEvent) {
        self.events.retain(|(_, earlier)| !new.supersedes(earlier));
        self.last_id += 1;
        self.events.push((self.last_id, new));
    }

    /// The id of the last event.
    pub(super) fn last_id(&self) -> u64 {
        self.last_id
    }

    /// The events after the given id, and whether the job has ended; then no further event follows.
    pub(super) fn after(&self, id: u64) -> (Vec<sse::Event>, bool) {
        let new = self.events.iter().filter(|(event_id, _)| *event_id > id);
        let events = new.map(|(id, event)| self.server_sent_event(*id, event)).collect();
        (events, self.state.is_final())
    }

    fn server_sent_event(&self, id: u64, event: &LoggedEvent) -> sse::Event {
        let (name, data) = match event {
            LoggedEvent::State(event) => ("state", serde_json::to_string(event)),
            LoggedEvent::Progress(event) => ("progress", serde_json::to_string(event)),
            LoggedEvent::Best(event) => ("best", serde_json::to_string(event)),
            LoggedEvent::Answer(index) => ("answer", serde_json::to_string(&self.answers[*index])),
            LoggedEvent::Done(event) => ("done", serde_json::to_string(event)),
        };
        sse::Event::default().id(id.to_string()).event(name).data(data.expect("events are serialisable"))
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let text_bytes = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let answer_bytes = |event: &AnswerEvent| {
            let answer = &event.answer;
            let solutions = answer.solutions.iter().flatten().map(String::len).sum::<usize>();
            // A solution is stored three times: in the answer, in its summary and in the best event.
            let passes = size_of_val(&answer.iterations[..]);
            let texts = answer.start.len() + answer.goal.len() + 3 * text_bytes(&answer.moves);
            1000 + passes + texts + 2 * solutions
        };
        1000 + self.answers.iter().map(answer_bytes).sum::<usize>()
    }
}
