//! Asks a service over and over, as often as told, and says how long answers took.
//!
//! `load ADDRESS CONNECTIONS SECONDS [RATE]` reads paths from standard input. With a rate, every request has its time, and a late
//! answer is late by that time and not by when its turn came. Without one, each connection asks as soon as it has its answer.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// What came of the requests.
#[derive(Default)]
struct Seen {
    times: Vec<Duration>,
    errors: usize,
}

#[allow(clippy::print_stdout, clippy::print_stderr, reason = "it is what the program is for")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<f64>().ok());
    let (Some(address), Some(connections), Some(seconds)) = (arguments.first(), number(1), number(2)) else {
        eprintln!("usage: load ADDRESS CONNECTIONS SECONDS [RATE] < PATHS");
        return ExitCode::from(2);
    };
    let paths: Vec<String> =
        io::stdin().lines().map_while(Result::ok).filter(|line| !line.is_empty()).collect();
    if paths.is_empty() {
        eprintln!("no paths on standard input");
        return ExitCode::from(2);
    }
    let (count, time) = (connections as usize, Duration::from_secs_f64(seconds));
    let pace = number(3).map(|rate| Duration::from_secs_f64(connections / rate));
    let all = Mutex::new(Seen::default());
    let begun = Instant::now() + Duration::from_millis(100);
    thread::scope(|scope| {
        for place in 0..count {
            let (all, paths) = (&all, &paths);
            scope.spawn(move || {
                // The connections take turns within the time between two requests.
                let own = begun + pace.unwrap_or_default().mul_f64(place as f64 / count as f64);
                let seen = ask(address, paths, place, own, begun + time, pace);
                let mut all = all.lock().expect("nobody panics");
                all.times.extend(seen.times);
                all.errors += seen.errors;
            });
        }
    });
    let mut seen = all.into_inner().expect("nobody panics");
    let took = begun.elapsed().as_secs_f64();
    seen.times.sort_unstable();
    let at = |share: f64| {
        let place = ((seen.times.len() as f64 * share) as usize).min(seen.times.len().saturating_sub(1));
        seen.times.get(place).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    };
    println!(
        "{:.0} requests/s, {} answers, {} errors; p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, most {:.2} ms",
        seen.times.len() as f64 / took,
        seen.times.len(),
        seen.errors,
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0),
    );
    if seen.errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn ask(
    address: &str,
    paths: &[String],
    first: usize,
    begin: Instant,
    end: Instant,
    pace: Option<Duration>,
) -> Seen {
    let mut seen = Seen::default();
    let mut connection = None;
    let mut due = begin;
    for path in paths.iter().cycle().skip(first % paths.len()) {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let since = if pace.is_some() { due } else { Instant::now() };
        if since >= end {
            break;
        }
        match once(&mut connection, address, path) {
            Ok(200) => seen.times.push(since.elapsed()),
            _ => {
                seen.errors += 1;
                connection = None;
            }
        }
        due += pace.unwrap_or_default();
    }
    seen
}

/// Asks on a connection that is kept, and returns the status.
fn once(connection: &mut Option<BufReader<TcpStream>>, address: &str, path: &str) -> io::Result<u16> {
    if connection.is_none() {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        *connection = Some(BufReader::new(stream));
    }
    let from = connection.as_mut().expect("connected above");
    from.get_mut().write_all(format!("GET {path} HTTP/1.1\r\nHost: load\r\n\r\n").as_bytes())?;
    let mut line = String::new();
    from.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let mut length = 0;
    loop {
        line.clear();
        if from.read_line(&mut line)? <= 2 {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    Ok(status)
}
