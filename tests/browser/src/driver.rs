//! WebDriver, as far as the harness needs it: a ChromeDriver of its own, one session, JSON over HTTP.
//!
//! Both processes end with the value, also when a test panics: the session is closed, so that the browser quits, and then
//! the driver is ended by its id.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The key under which WebDriver passes an element, a constant of the standard.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// No single command takes longer on a page that works.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Driver {
    process: Child,
    agent: ureq::Agent,
    /// The address of the session; empty until there is one.
    session: String,
    /// The browser, should it outlive its session.
    browser: Option<u64>,
    /// Where both keep what they forget to remove.
    scratch: PathBuf,
}

/// What the driver answered instead of doing what it was asked.
#[derive(Debug)]
pub struct Refusal {
    /// A word of the standard, such as `no such element`.
    pub kind: String,
    pub message: String,
}

type Answer = Result<Value, Refusal>;

impl Driver {
    /// Starts a driver and a browser without a window.
    pub fn start() -> Self {
        let program = chosen("FENCEPOST_CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let scratch = scratch_folder();
        let mut process = Command::new(&program)
            .arg("--port=0")
            .env("TMPDIR", &scratch)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("cannot start {}: {error}; `cargo xtask test --only browser` installs it", program.display())
            });
        let stdout = process.stdout.take().expect("stdout is piped");
        let (send, receive) = mpsc::channel();
        // Reads to the end, so that the driver never waits for a reader.
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Some((_, port)) = line.split_once("successfully on port ") {
                    let _ = send.send(port.trim_end_matches('.').to_owned());
                }
            }
        });
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .proxy(None)
            .build()
            .new_agent();
        // From here on, dropping the value ends the process.
        let mut driver = Self { process, agent, session: String::new(), browser: None, scratch };
        let port = receive.recv_timeout(PATIENCE).expect("chromedriver says on which port it listens");
        driver.open_session(&format!("http://127.0.0.1:{port}/session"));
        driver
    }

    fn open_session(&mut self, url: &str) {
        let mut capabilities = json!({
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": {
                "args": [
                    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                    "--disable-background-networking", "--disable-component-update", "--disable-sync",
                    "--hide-scrollbars",
                    // The page must call nowhere: any name is unknown, and an attempt is an error on the console.
                    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                ],
            },
        });
        // Without it, the driver looks for the browser in the usual places.
        if let Some(browser) = chosen("FENCEPOST_CHROMIUM") {
            capabilities["goog:chromeOptions"]["binary"] = json!(browser);
        }
        let body = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let answer =
            self.request("POST", url, &body).unwrap_or_else(|refusal| panic!("no browser: {}", refusal.message));
        let id = answer["sessionId"].as_str().expect("a session has an id");
        self.session = format!("{url}/{id}");
        self.browser = answer["capabilities"]["goog:processID"].as_u64();
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", &format!("{}/{path}", self.session), &Value::Null)
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", &format!("{}/{path}", self.session), body)
    }

    /// A command of Chromium's own protocol.
    pub fn chromium(&self, command: &str, parameters: &Value) -> Answer {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// The id of the first element that a CSS selector finds.
    pub fn find(&self, css: &str) -> Result<String, Refusal> {
        let found = self.post("element", &json!({ "using": "css selector", "value": css }))?;
        let id = found[ELEMENT].as_str().expect("an element has an id");
        Ok(id.to_owned())
    }

    /// The same element, to be passed in a body.
    pub fn reference(id: &str) -> Value {
        json!({ ELEMENT: id })
    }

    fn request(&self, method: &str, url: &str, body: &Value) -> Answer {
        let response = match method {
            "GET" => self.agent.get(url).call(),
            "DELETE" => self.agent.delete(url).call(),
            _ => self.agent.post(url).send_json(body),
        };
        let lost = |error: ureq::Error| Refusal {
            kind: "lost".to_owned(),
            message: format!("the driver does not answer {method} {url}: {error}"),
        };
        let mut response = response.map_err(lost)?;
        let success = response.status().is_success();
        // Pictures of a long page are large.
        let body = response.body_mut().with_config().limit(256 << 20);
        let mut answer: Value = body.read_json().map_err(lost)?;
        let value = answer["value"].take();
        if success {
            return Ok(value);
        }
        let field = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let message = field("message");
        Err(Refusal { kind: field("error"), message: message.lines().next().unwrap_or_default().to_owned() })
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if !self.session.is_empty() && self.request("DELETE", &self.session, &Value::Null).is_err() {
            // The driver is lost; its browser must not stay behind.
            if let Some(id) = self.browser {
                let _ = Command::new("kill").arg(id.to_string()).status();
            }
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.scratch);
    }
}

/// A new folder with a short path: browsers put sockets into it, whose paths are limited.
fn scratch_folder() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("fencepost-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir_all(&folder).expect("a folder for what is temporary");
    folder
}

/// The program that an environment variable names.
fn chosen(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).filter(|path| !path.is_empty())?;
    Some(path.into())
}
