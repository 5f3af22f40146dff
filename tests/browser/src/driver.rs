//! WebDriver, as far as the harness needs it: a driver of its own, one session, JSON over HTTP.
//!
//! Both processes end with the value, also when a test panics: the session is closed, so that the browser quits, and then
//! the driver is ended by its id.

use crate::display::Display;
use crate::engine::Engine;
use serde_json::{Value, json};
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The key under which WebDriver passes an element, a constant of the standard.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// No single command takes longer on a page that works, whatever else the machine does.
const PATIENCE: Duration = Duration::from_secs(180);

pub struct Driver {
    engine: Engine,
    /// What the browser was told when it started and cannot be told again (WebKit).
    dark: bool,
    process: Child,
    agent: ureq::Agent,
    /// The address of the session; empty until there is one.
    session: String,
    /// The browser, should it outlive its session.
    browser: Option<u64>,
    /// Where both keep what they forget to remove.
    scratch: PathBuf,
    display: Option<Display>,
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
    /// Starts a driver and a browser that nobody sees.
    pub fn start(engine: Engine, dark: bool) -> Self {
        let display = (engine == Engine::WebKit).then(Display::start);
        let scratch = scratch_folder();
        let port = free_port();
        let mut command = engine.driver(port, &scratch, display.as_ref().map(Display::name), dark);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let process = process.unwrap_or_else(|error| {
            let program = command.get_program().display();
            panic!("cannot start {program} for {engine}: {error}; `cargo xtask test --only browser` installs it")
        });
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .proxy(None)
            .build()
            .new_agent();
        // From here on, dropping the value ends the process.
        let mut driver = Self { engine, dark, process, agent, session: String::new(), browser: None, scratch, display };
        driver.open_session(&format!("http://127.0.0.1:{port}"));
        if let Some(display) = &driver.display {
            driver.open_bare_window();
            display.focus();
        }
        driver
    }

    pub fn engine(&self) -> Engine {
        self.engine
    }

    pub fn is_dark(&self) -> bool {
        self.dark
    }

    fn open_session(&mut self, url: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.request("GET", &format!("{url}/status"), &Value::Null).is_err() {
            let ended = self.process.try_wait().ok().flatten();
            assert!(
                ended.is_none() && Instant::now() < deadline,
                "{}: the driver does not listen: {ended:?}",
                self.engine
            );
            thread::sleep(Duration::from_millis(20));
        }
        let body = json!({ "capabilities": { "alwaysMatch": self.engine.capabilities() } });
        let answer = self
            .request("POST", &format!("{url}/session"), &body)
            .unwrap_or_else(|refusal| panic!("no {}: {}", self.engine, refusal.message));
        let id = answer["sessionId"].as_str().expect("a session has an id");
        self.session = format!("{url}/session/{id}");
        let process = |name: &str| answer["capabilities"][name].as_u64();
        self.browser = process("goog:processID").or(process("moz:processID"));
        // A script that waits for the page may wait as long as anything else.
        let script = json!({ "script": PATIENCE.as_millis() });
        self.post("timeouts", &script).unwrap_or_else(|refusal| panic!("{}: {}", self.engine, refusal.message));
    }

    /// A window with bars cannot be as narrow as a phone; one that a page opens has none. A page may only do so when pressed.
    fn open_bare_window(&self) {
        const PAGE: &str = "data:text/html,<button onclick=\"open('about:blank','_blank','popup,noopener,width=400,height=800')\">open</button>";
        let must = |answer: Answer, what: &str| {
            answer.unwrap_or_else(|refusal| panic!("{}: {what}: {}", self.engine, refusal.message))
        };
        must(self.post("url", &json!({ "url": PAGE })), "a page with a button");
        let first = must(self.get("window"), "a window");
        let button = self.find("button").unwrap_or_else(|refusal| panic!("{}: {}", self.engine, refusal.message));
        must(self.post(&format!("element/{button}/click"), &json!({})), "a click");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let windows = must(self.get("window/handles"), "windows");
            let windows = windows.as_array().cloned().unwrap_or_default();
            if let Some(bare) = windows.iter().find(|it| **it != first) {
                must(
                    self.request("DELETE", &format!("{}/window", self.session), &Value::Null),
                    "the first window closes",
                );
                must(self.post("window", &json!({ "handle": bare })), "the bare window");
                return;
            }
            assert!(Instant::now() < deadline, "{}: no window opens", self.engine);
            thread::sleep(Duration::from_millis(20));
        }
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

    /// Runs the body of a JavaScript function as Firefox itself, outside of the page.
    pub fn firefox(&self, script: &str, arguments: &[Value]) -> Answer {
        self.post("moz/context", &json!({ "context": "chrome" }))?;
        let answer = self.eval(script, arguments);
        self.post("moz/context", &json!({ "context": "content" }))?;
        answer
    }

    /// Runs the body of a JavaScript function in the page. A promise is waited for.
    pub fn eval(&self, script: &str, arguments: &[Value]) -> Answer {
        self.post("execute/sync", &json!({ "script": script, "args": arguments }))
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

    /// Leaves the page and takes the hand off keys and pointer, for whoever is next. False if the browser does not follow.
    pub fn rest(&self) -> bool {
        let corner = json!({ "type": "pointerMove", "duration": 0, "x": 0, "y": 0 });
        let pointer =
            json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": [corner] });
        self.post("url", &json!({ "url": "about:blank" })).is_ok()
            && self.post("actions", &json!({ "actions": [pointer] })).is_ok()
            && self.request("DELETE", &format!("{}/actions", self.session), &Value::Null).is_ok()
            && self.get("window/handles").is_ok_and(|windows| windows.as_array().is_some_and(|it| it.len() == 1))
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

/// A port that was free a moment ago; not every driver can choose one and say which.
fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("a bound address").port()
}
