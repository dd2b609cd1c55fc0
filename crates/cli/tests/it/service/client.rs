//! A service started by a test, and a client that sends exact bytes.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::ops::Deref;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use crate::common::{EVENT_TIMEOUT, signal, wait_until};

/// A running service on its own port.
pub(crate) struct Service {
    child: Child,
    client: Client,
    log: Arc<Mutex<String>>,
}

/// Sends requests to a service.
#[derive(Clone, Copy)]
pub(crate) struct Client {
    address: SocketAddr,
    /// The address of the client, if it is not the one that the system chooses.
    source: Option<Ipv4Addr>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// Fails unless the reply is a problem with this status whose detail contains `part`.
    #[track_caller]
    pub(crate) fn refuses(&self, status: u16, part: &str) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        let problem = self.json();
        assert_eq!(problem["status"], status);
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains(part), "`{part}` is missing in: {detail}");
        problem
    }

    /// Fails unless the status is 2xx.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, String::from_utf8_lossy(&self.body));
        self.json()
    }
}

/// One event of a stream.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Event {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Service {
    /// Starts a service without a rate limit and waits until it prints its address.
    pub(crate) fn start(arguments: &[&str]) -> Service {
        Service::start_in(Path::new(crate::common::CACHE), arguments)
    }

    /// Starts a service with tables in this folder.
    pub(crate) fn start_in(cache: &Path, arguments: &[&str]) -> Service {
        let given = |flag: &str| arguments.contains(&flag);
        let unless_given = |flag: &[&'static str; 2]| if given(flag[0]) { Vec::new() } else { flag.to_vec() };
        let mut child = Command::new(env!("CARGO_BIN_EXE_untumble"))
            .arg("serve")
            .args(unless_given(&["--listen", "127.0.0.1:0"]))
            .args(unless_given(&["--rate", "0"]))
            .args(arguments)
            .env("UNTUMBLE_CACHE", cache)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe"));
        let log = Arc::new(Mutex::new(String::new()));
        let mut line = String::new();
        let address = loop {
            line.clear();
            let length = lines.read_line(&mut line).expect("lines");
            assert!(length > 0, "the service ended: {}", log.lock().expect("log"));
            log.lock().expect("log").push_str(&line);
            let printed = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
            if let Some(address) = printed.and_then(|address| address.parse().ok()) {
                break address;
            }
        };
        let log_copy = Arc::clone(&log);
        thread::spawn(move || {
            let mut line = String::new();
            while lines.read_line(&mut line).is_ok_and(|count| count > 0) {
                log_copy.lock().expect("log").push_str(&line);
                line.clear();
            }
        });
        Service { child, client: Client { address, source: None }, log }
    }

    /// The standard error of the service so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().expect("log").clone()
    }

    /// The resident memory of the service in bytes, as the system reports it.
    #[cfg(target_os = "linux")]
    pub(crate) fn resident_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
        1024 * line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number")
    }

    /// A client at 127.0.0.`last`. Linux accepts the whole network 127.0.0.0/8 as local addresses.
    #[cfg(target_os = "linux")]
    pub(crate) fn client(&self, last: u8) -> Client {
        Client { source: Some(Ipv4Addr::new(127, 0, 0, last)), ..self.client }
    }

    /// Waits until the log satisfies a condition.
    #[track_caller]
    pub(crate) fn wait_for_log(&self, condition: impl Fn(&str) -> bool) -> String {
        wait_until("the log satisfies the condition", || condition(&self.log()));
        self.log()
    }

    /// Sends a signal and returns how the program ended.
    #[cfg(unix)]
    pub(crate) fn signal(&mut self, name: &str) -> ExitStatus {
        signal(&self.child, name);
        self.child.wait().expect("a child")
    }
}

impl Deref for Service {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Client {
    /// A connection.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = match self.source {
            #[cfg(target_os = "linux")]
            Some(source) => connect_from(source, self.address),
            _ => TcpStream::connect(self.address),
        };
        let stream = stream.expect("the service listens");
        stream.set_read_timeout(Some(EVENT_TIMEOUT)).expect("a timeout");
        stream
    }

    /// Sends bytes as they are and reads one reply.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        // A service that refuses a request early need not read all of it.
        let _ = stream.write_all(bytes);
        read_reply(&mut BufReader::new(stream)).expect("a reply")
    }

    /// Sends a request and reads the response.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Reply {
        let length =
            if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}{length}\r\n"
        );
        self.raw(&[head.as_bytes(), body].concat())
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.request("GET", path, "", b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.request("POST", path, "Content-Type: application/json\r\n", body.to_string().as_bytes())
    }

    pub(crate) fn delete(&self, path: &str) -> Reply {
        self.request("DELETE", path, "", b"")
    }

    /// Begins a job and returns its address.
    #[track_caller]
    pub(crate) fn begin(&self, job: &Value) -> String {
        let reply = self.post("/api/v1/jobs", job);
        assert_eq!(reply.status, 201, "{}", String::from_utf8_lossy(&reply.body));
        reply.header("location").expect("a location").to_owned()
    }

    /// Waits until a job has ended and returns it.
    #[track_caller]
    pub(crate) fn wait_for_end(&self, job: &str) -> Value {
        let mut found = Value::Null;
        wait_until("the job has ended", || {
            found = self.get(job).ok();
            !matches!(found["state"].as_str(), Some("queued" | "running"))
        });
        found
    }

    /// Waits until a job runs.
    pub(crate) fn wait_until_running(&self, job: &str) {
        wait_until("the job runs", || self.get(job).ok()["state"] != "queued");
    }

    /// Opens the stream of a job's events and waits for its first bytes.
    pub(crate) fn listen(&self, job: &str) -> BufReader<TcpStream> {
        let mut stream = self.connect();
        write!(stream, "GET {job}/events HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("the service listens");
        let mut from = BufReader::new(stream);
        assert!(from.fill_buf().is_ok_and(|bytes| !bytes.is_empty()), "the stream begins");
        from
    }

    /// The events of a job after the one with the identifier `after`, up to the first that `is_last`
    /// accepts.
    pub(crate) fn events(
        &self,
        job: &str,
        after: Option<u64>,
        is_last: impl Fn(&Event) -> bool,
    ) -> Vec<Event> {
        let last = after.map_or_else(String::new, |id| format!("Last-Event-ID: {id}\r\n"));
        let mut stream = self.connect();
        let head = format!("GET {job}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{last}\r\n");
        stream.write_all(head.as_bytes()).expect("the service listens");
        let mut from = BufReader::new(stream);
        let (status, headers) = read_head(&mut from).expect("a reply");
        assert_eq!(status, 200);
        assert!(headers.iter().any(|(_, value)| value == "text/event-stream"), "{headers:?}");
        let mut events = Vec::new();
        let mut text = String::new();
        while let Some(chunk) = read_chunk(&mut from) {
            text.push_str(&String::from_utf8(chunk).expect("UTF-8"));
            while let Some((event_text, rest)) = text.split_once("\n\n") {
                let event = parse_event(event_text);
                text = rest.to_owned();
                if let Some(event) = event {
                    let stop = is_last(&event);
                    events.push(event);
                    if stop {
                        return events;
                    }
                }
            }
        }
        events
    }

    /// The value of a metric.
    #[track_caller]
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let metrics = String::from_utf8(self.get("/metrics").body).expect("text");
        let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} is missing in {metrics}")).parse().expect("a whole number")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if !thread::panicking() {
            let log = self.log();
            assert!(!log.contains("internal failure"), "{log}");
        }
    }
}

/// Connects from an address of this machine.
#[cfg(target_os = "linux")]
fn connect_from(source: Ipv4Addr, target: SocketAddr) -> std::io::Result<TcpStream> {
    use socket2::{Domain, Socket, Type};

    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::from((source, 0)).into())?;
    socket.connect(&target.into())?;
    Ok(socket.into())
}

/// Parses one server-sent event; `None` for a comment.
fn parse_event(text: &str) -> Option<Event> {
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let data = field("data:")?;
    Some(Event {
        id: field("id:")?.parse().ok()?,
        name: field("event:")?.to_owned(),
        data: serde_json::from_str(data).unwrap_or(json!(data)),
    })
}

/// Reads the status and the headers of a reply.
fn read_head(from: &mut impl BufRead) -> Option<(u16, Vec<(String, String)>)> {
    let mut line = String::new();
    from.read_line(&mut line).ok()?;
    let status = line.split_whitespace().nth(1)?.parse().ok()?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        from.read_line(&mut line).ok()?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.push((name.to_owned(), value.trim().to_owned())),
            None => return Some((status, headers)),
        }
    }
}

/// Reads one chunk of a chunked body; `None` at the end of the body.
fn read_chunk(from: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    from.read_line(&mut line).ok()?;
    let length = usize::from_str_radix(line.trim(), 16).ok().filter(|&length| length > 0)?;
    let mut bytes = vec![0; length + 2];
    from.read_exact(&mut bytes).ok()?;
    bytes.truncate(length);
    Some(bytes)
}

/// Reads one whole reply; `None` if the connection was closed without a reply.
pub(crate) fn read_reply(from: &mut impl BufRead) -> Option<Reply> {
    let (status, headers) = read_head(from)?;
    let mut reply = Reply { status, headers, body: Vec::new() };
    if reply.header("transfer-encoding").is_some() {
        while let Some(chunk) = read_chunk(from) {
            reply.body.extend(chunk);
        }
    } else if let Some(length) = reply.header("content-length").and_then(|length| length.parse().ok()) {
        reply.body = vec![0; length];
        from.read_exact(&mut reply.body).ok()?;
    }
    Some(reply)
}
