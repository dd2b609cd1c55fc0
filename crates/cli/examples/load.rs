//! A load generator for the service: sends requests at a given rate and prints the latencies.
//!
//! `load ADDRESS CONNECTIONS SECONDS [RATE]` reads paths from standard input. With a rate, latency is
//! measured from the scheduled time of a request, so that delayed requests count (no coordinated omission).
//! Without a rate, each connection sends the next request as soon as it has its response.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The latencies of successful requests and the number of failed ones.
#[derive(Default)]
struct Results {
    latencies: Vec<Duration>,
    errors: usize,
}

#[allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments.get(index).and_then(|text| text.parse::<f64>().ok());
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
    let interval = number(3).map(|rate| Duration::from_secs_f64(connections / rate));
    let all = Mutex::new(Results::default());
    let start = Instant::now() + Duration::from_millis(100);
    thread::scope(|scope| {
        for index in 0..count {
            let (all, paths) = (&all, &paths);
            scope.spawn(move || {
                // The requests of all connections are spread evenly over an interval.
                let own_start = start + interval.unwrap_or_default().mul_f64(index as f64 / count as f64);
                let results = run_connection(address, paths, index, own_start, start + time, interval);
                let mut all = all.lock().expect("no thread panics");
                all.latencies.extend(results.latencies);
                all.errors += results.errors;
            });
        }
    });
    let mut results = all.into_inner().expect("no thread panics");
    let elapsed = start.elapsed().as_secs_f64();
    results.latencies.sort_unstable();
    let count = results.latencies.len();
    let percentile = |share: f64| {
        let index = ((count as f64 * share) as usize).min(count.saturating_sub(1));
        results.latencies.get(index).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    };
    println!(
        "{:.0} requests/s, {} answers, {} errors; p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, max {:.2} ms",
        count as f64 / elapsed,
        count,
        results.errors,
        percentile(0.5),
        percentile(0.9),
        percentile(0.99),
        percentile(1.0),
    );
    if results.errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Sends requests on one connection until `end`.
fn run_connection(
    address: &str,
    paths: &[String],
    first: usize,
    start: Instant,
    end: Instant,
    interval: Option<Duration>,
) -> Results {
    let mut results = Results::default();
    let mut connection = None;
    let mut due = start;
    for path in paths.iter().cycle().skip(first % paths.len()) {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let since = if interval.is_some() { due } else { Instant::now() };
        if since >= end {
            break;
        }
        match request(&mut connection, address, path) {
            Ok(200) => results.latencies.push(since.elapsed()),
            _ => {
                results.errors += 1;
                connection = None;
            }
        }
        due += interval.unwrap_or_default();
    }
    results
}

/// Sends a GET request on a persistent connection and returns the status.
fn request(connection: &mut Option<BufReader<TcpStream>>, address: &str, path: &str) -> io::Result<u16> {
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
