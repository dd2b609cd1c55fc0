use super::*;

#[test]
fn the_incumbent_is_the_cheapest_offered_path() {
    let control = Control::default();
    assert!(control.offer(&[Move(1), Move(2)], 2));
    assert!(!control.offer(&[Move(0), Move(1), Move(2)], 3));
    assert!(control.offer(&[Move(3)], 1));
    assert_eq!((control.best(), control.upper_bound()), (Some(vec![Move(3)]), 1));
    let phase = control.phase(Limits::default());
    assert_eq!(phase.upper_bound(), 1, "phases share the incumbent");
}

#[derive(Default)]
struct Recorder(Mutex<Vec<Event>>);

impl Observer for Recorder {
    fn on_event(&self, event: &Event) {
        lock(&self.0).push(event.clone());
    }
}

#[test]
fn progress_is_emitted_every_fifty_milliseconds() {
    let (clock, recorder) = (Arc::new(ManualClock::new()), Arc::new(Recorder::default()));
    let control =
        Control::with_clock(clock.clone(), &MemoryAccount::default(), Limits::default(), recorder.clone());
    for _ in 0..1000 {
        clock.advance(Duration::from_millis(1));
        assert_eq!(control.poll(), Ok(()));
    }
    let millis: Vec<u64> = lock(&recorder.0)
        .iter()
        .map(|event| match event {
            Event::Progress(progress) => (progress.seconds * 1000.0).round() as u64,
            other => panic!("only progress is expected: {other:?}"),
        })
        .collect();
    assert_eq!(millis, (1..=20).map(|i| i * 50).collect::<Vec<_>>());
}

#[test]
fn a_phase_ends_at_the_earlier_of_both_deadlines() {
    let clock = Arc::new(ManualClock::new());
    let limits = |seconds| Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    let control = Control::with_clock(clock.clone(), &MemoryAccount::default(), limits(10), Arc::new(Silent));
    clock.advance(Duration::from_secs(5));
    let (short, long, sibling) =
        (control.phase(limits(2)), control.phase(limits(20)), control.sibling(limits(20)));
    clock.advance(Duration::from_secs(2));
    assert_eq!((short.poll(), long.poll()), (Err(Stop::Time), Ok(())));
    assert_eq!(control.poll(), Ok(()), "a phase that ends does not end the search");
    clock.advance(Duration::from_secs(3));
    assert_eq!([control.poll(), long.poll(), sibling.poll()], [Err(Stop::Time); 3]);
    assert_eq!((control.elapsed(), sibling.elapsed()), (Duration::from_secs(10), Duration::from_secs(5)));
}
