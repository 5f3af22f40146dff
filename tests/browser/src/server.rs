//! A web server for one folder, on this machine only, for as long as its value lives.
//!
//! It serves the folder *below* a path, as most real hosts do, so that an absolute address in the page is a visible fault.

use crate::ears;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Where the folder is served.
const BELOW: &str = "/some/where/";

/// A page of somebody else with the page in a frame that may run scripts and nothing else.
const SANDBOX: &str = "/sandbox";
const SANDBOX_PAGE: &str = "<!doctype html><title>sandbox</title><link rel=icon href=data:,><style>body{margin:0}iframe{border:0;width:100vw;height:100vh}</style>\
    <iframe sandbox=\"allow-scripts\" src=\"/some/where/\"></iframe>";

/// Where a page with ears says what it complains about.
const COMPLAINTS: &str = "/complaints";

pub struct Server {
    address: SocketAddr,
    complaints: Arc<Mutex<Vec<String>>>,
    withheld: Arc<Mutex<Option<String>>>,
    refused: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves `folder` on a free port; with `ears`, pages say here what they complain about.
    pub fn start(folder: &Path, ears: bool) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let stop = Arc::new(AtomicBool::new(false));
        let script = ears.then(|| ears::script(&format!("http://{address}{COMPLAINTS}")));
        let complaints: Arc<Mutex<Vec<String>>> = Arc::default();
        let (withheld, refused) = (Arc::<Mutex<Option<String>>>::default(), Arc::<AtomicUsize>::default());
        let house = Arc::new(House {
            folder: folder.to_owned(),
            script,
            complaints: Arc::clone(&complaints),
            withheld: Arc::clone(&withheld),
            refused: Arc::clone(&refused),
        });
        let stopped = Arc::clone(&stop);
        let listening = thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                let house = Arc::clone(&house);
                // A thread each: browsers also open connections on which they then say nothing.
                if let Ok(stream) = stream {
                    thread::spawn(move || answer(stream, &house));
                }
            }
        });
        Self { address, complaints, withheld, refused, stop, listening: Some(listening) }
    }

    /// What pages complained about since this was last asked.
    pub fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut self.complaints.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Files whose names begin so are not found from now on; none: all are.
    pub fn withhold(&self, files: Option<&str>) {
        *self.withheld.lock().unwrap_or_else(PoisonError::into_inner) = files.map(str::to_owned);
    }

    /// How often a file was asked for that was withheld.
    pub fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }

    /// The address of the folder, with a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}{BELOW}", self.address)
    }

    /// The address of a page that holds the folder's page in a sandbox.
    pub fn sandbox_url(&self) -> String {
        format!("http://{}{SANDBOX}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // One last connection wakes the listener, which then sees that it is over.
        let _ = TcpStream::connect(self.address);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

/// What answering needs.
struct House {
    folder: PathBuf,
    script: Option<String>,
    complaints: Arc<Mutex<Vec<String>>>,
    /// What is not given out for now.
    withheld: Arc<Mutex<Option<String>>>,
    refused: Arc<AtomicUsize>,
}

impl House {
    fn withholds(&self, path: &Path) -> bool {
        let withheld = self.withheld.lock().unwrap_or_else(PoisonError::into_inner);
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let withholds = withheld.as_ref().is_some_and(|begin| name.starts_with(begin));
        self.refused.fetch_add(usize::from(withholds), Ordering::SeqCst);
        withholds
    }

    fn note(&self, complaint: String) {
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner).push(complaint);
    }
}

/// Answers one request and closes. A browser that goes away in between is no fault.
fn answer(mut stream: TcpStream, house: &House) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
    let mut reader = BufReader::new(&stream);
    let mut request = String::new();
    if reader.read_line(&mut request).is_err() {
        return;
    }
    let mut header = String::new();
    let mut length = 0;
    let mut packs = false;
    while matches!(reader.read_line(&mut header), Ok(1..)) && header.trim() != "" {
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
        packs |= header.to_ascii_lowercase().starts_with("accept-encoding:") && header.contains("gzip");
        header.clear();
    }
    let mut words = request.split_whitespace();
    let target = match (words.next(), words.next()) {
        (Some("GET"), Some(target)) => target,
        (Some("POST"), Some(COMPLAINTS)) => {
            let mut complaint = Vec::new();
            if reader.take(length).read_to_end(&mut complaint).is_ok() {
                house.note(String::from_utf8_lossy(&complaint).into_owned());
            }
            // A page without an origin of its own complains too.
            let head = "HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n";
            let _ = stream.write_all(head.as_bytes());
            return;
        }
        _ => return,
    };
    let found = match target {
        SANDBOX => Some(("text/html; charset=utf-8", SANDBOX_PAGE.as_bytes().to_vec())),
        _ => file(target, house),
    };
    // Browsers look for an icon of their own accord.
    if found.is_none() && house.script.is_some() && target != "/favicon.ico" {
        house.note(format!("404: {target}"));
    }
    let (status, mime, body) = match found {
        Some((mime, body)) => ("200 OK", mime, body),
        None => ("404 Not Found", "text/plain", b"not here\n".to_vec()),
    };
    // As web servers do with text.
    let packs = packs && mime.starts_with("text/");
    let (body, encoding) = if packs { (packed(&body), "Content-Encoding: gzip\r\n") } else { (body, "") };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\n{encoding}Content-Length: {}\r\nCache-Control: no-store\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&body);
}

fn packed(body: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(body).and_then(|()| out.finish()).expect("memory takes what it is given")
}

/// What a file holds, and of which type it is.
fn file(target: &str, house: &House) -> Option<(&'static str, Vec<u8>)> {
    let path = file_for(target, &house.folder).filter(|path| !house.withholds(path))?;
    let bytes = std::fs::read(&path).ok()?;
    let mime = mime_type(&path);
    match &house.script {
        Some(script) if mime.starts_with("text/html") => Some((mime, ears::put_into(bytes, script))),
        _ => Some((mime, bytes)),
    }
}

/// The file that a request's target names, if it lies in the folder.
fn file_for(target: &str, folder: &Path) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?;
    let below = Path::new(path.strip_prefix(BELOW)?);
    let inside = below.components().all(|part| matches!(part, Component::Normal(_)));
    if !inside {
        return None;
    }
    let mut file = folder.join(below);
    if file.is_dir() {
        file.push("index.html");
    }
    Some(file)
}

fn mime_type(path: &Path) -> &'static str {
    match path.extension().and_then(|it| it.to_str()).unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "toml" | "txt" | "md" => "text/plain; charset=utf-8",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_stay_in_the_folder() {
        let folder = Path::new("no-such-folder");
        let file = |target| file_for(target, folder);
        assert_eq!(file("/some/where/a.js?v=1"), Some(folder.join("a.js")));
        assert_eq!(file("/a.js"), None);
        assert_eq!(file("/some/where/../a.js"), None);
        assert_eq!(file("/some/where//etc/passwd"), None);
    }

    #[test]
    fn wasm_is_served_as_what_it_is_and_a_missing_file_as_missing() {
        let folder = std::env::temp_dir().join(format!("browser-tests-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("a.wasm"), b"\0asm").expect("a file");
        let server = Server::start(&folder, false);
        let response = ureq::get(server.url() + "a.wasm").call().expect("an answer");
        assert_eq!(response.headers()["content-type"], "application/wasm");
        let missing = ureq::get(server.url() + "b.wasm").call();
        assert!(matches!(missing, Err(ureq::Error::StatusCode(404))));
        drop(server);
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
    }
}
