//! What stories are written with: a page in a browser, driven as a person would.
//!
//! ```no_run
//! use browser_tests::engine::Engine;
//! use browser_tests::story::Visitor;
//!
//! let page = Visitor::passing(Engine::Firefox).open("", 1440, 900, false);
//! page.click("#undo");
//! page.wait_for_text("#claim", |text| text.contains("paused"));
//! ```
//!
//! Each call waits, within reason, until it can do what it was asked, and panics with what it saw if it cannot. What a person
//! does with a page stands in `acting`. A story must not sleep. When a `Browser` goes out of scope, the story fails if the page complained on the console, so that no story can
//! forget to ask. When a story fails, a picture of the page at that moment is kept in `target/browser/`.

use crate::acting::NOT_AT_REST;
use crate::driver::{Driver, Refusal};
use crate::engine::Engine;
use crate::pool::Pool;
use crate::server::Server;
use crate::story::Visitor;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How long a page may take for anything, beside two others on a machine that has more to do. Only what fails waits so long.
const PATIENCE: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(25);

pub struct Browser {
    /// Always there, until it is given back.
    driver: Option<Driver>,
    server: Server,
    story: String,
    /// Takes the browser back when the story is over.
    pool: Arc<Pool>,
    /// Errors that were read from the browser but not yet asked for.
    errors: RefCell<Vec<String>>,
    /// What style sheets are told, by feature.
    pub(crate) media: RefCell<BTreeMap<String, String>>,
}

impl Browser {
    #[track_caller]
    pub(crate) fn open(visitor: &Visitor, path: &str, width: u32, height: u32, dark: bool) -> Self {
        let dist = dist();
        assert!(
            dist.join("index.html").is_file(),
            "there is no page in {}: `cargo xtask dist` builds it",
            dist.display()
        );
        let browser = Self {
            driver: Some(visitor.pool().take(visitor.engine(), dark)),
            server: Server::start(&dist, !visitor.engine().tells_its_console()),
            story: visitor.story().to_owned(),
            pool: Arc::clone(visitor.pool()),
            errors: RefCell::default(),
            media: RefCell::default(),
        };
        browser.read_console();
        browser.errors.take(); // of whoever had this browser before
        browser.resize(width, height, 1);
        browser.prefer_dark(dark);
        browser.go(path);
        browser
    }

    pub fn engine(&self) -> Engine {
        self.driver().engine()
    }

    pub(crate) fn driver(&self) -> &Driver {
        self.driver.as_ref().expect("a browser until the story is over")
    }

    /// Loads another path of the page in the same browser, with its history and storage.
    #[track_caller]
    pub fn go(&self, path: &str) {
        let url = self.server.url() + path;
        self.must(self.driver().post("url", &json!({ "url": url })), &url);
        self.wait_until_started();
    }

    /// Goes away from the page, so that the next visit loads it again whatever its address.
    #[track_caller]
    pub fn leave(&self) {
        self.must(self.driver().post("url", &json!({ "url": "about:blank" })), "leave");
    }

    /// Loads the page inside of a frame that may run scripts and nothing else: it has no origin, no storage, no clipboard.
    #[track_caller]
    pub fn go_into_sandbox(&self) {
        let url = self.server.sandbox_url();
        self.must(self.driver().post("url", &json!({ "url": url })), &url);
        self.with_element("iframe", |frame| self.driver().post("frame", &json!({ "id": Driver::reference(frame) })));
        self.wait_until_started();
    }

    /// What comes after the page's folder in an address of this page.
    #[track_caller]
    pub fn suffix(&self, url: &str) -> String {
        let server = self.server.url();
        url.strip_prefix(&server).unwrap_or_else(|| panic!("{url} is none of {server}")).to_owned()
    }

    /// The address that the browser shows, from the page's folder on.
    #[track_caller]
    pub fn path(&self) -> String {
        let url = self.must(self.driver().get("url"), "the address");
        let url = url.as_str().unwrap_or_default();
        url.strip_prefix(&self.server.url()).unwrap_or(url).to_owned()
    }

    #[track_caller]
    pub fn reload(&self) {
        self.must(self.driver().post("refresh", &json!({})), "reload");
        self.wait_until_started();
    }

    #[track_caller]
    pub fn back(&self) {
        self.must(self.driver().post("back", &json!({})), "back");
    }

    /// From now on files whose names begin so do not come; none: all do again.
    pub fn withhold(&self, files: Option<&str>) {
        self.server.withhold(files);
    }

    /// How often a file was asked for that is withheld.
    pub fn refusals(&self) -> usize {
        self.server.refused()
    }

    /// Waits until files that are withheld were asked for so often.
    #[track_caller]
    pub fn wait_for_refusals(&self, times: usize) {
        let begin = Instant::now();
        while self.server.refused() < times {
            assert!(begin.elapsed() < PATIENCE, "asked for {} times, not {times}", self.server.refused());
            thread::sleep(PAUSE);
        }
    }

    // --- seeing ------------------------------------------------------------------------------------------------------

    /// The text of the first element that matches, as a person sees it.
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        let text = self.with_element(css, |element| self.driver().get(&format!("element/{element}/text")));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// The text of the first element that matches, also where only a screen reader finds it.
    #[track_caller]
    pub fn hidden_text(&self, css: &str) -> String {
        self.property(css, "textContent").as_str().unwrap_or_default().to_owned()
    }

    /// A property of the first element that matches, such as `value`, `checked` or `href`.
    #[track_caller]
    pub fn property(&self, css: &str, name: &str) -> Value {
        self.with_element(css, |element| self.driver().get(&format!("element/{element}/property/{name}")))
    }

    /// How many elements match now.
    #[track_caller]
    pub fn count(&self, css: &str) -> usize {
        let script = format!("return document.querySelectorAll({}).length", json!(css));
        let count = self.eval(&script).as_u64().unwrap_or_default();
        usize::try_from(count).expect("a page has fewer elements")
    }

    /// Waits until an element matches.
    #[track_caller]
    pub fn wait_for(&self, css: &str) {
        self.with_element(css, |_| Ok(Value::Null));
    }

    /// Waits until the text of the first element that matches is as it should be, and returns it.
    #[track_caller]
    pub fn wait_for_text(&self, css: &str, is_right: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let text = self.text(css);
            if is_right(&text) {
                return text;
            }
            assert!(Instant::now() < deadline, "`{css}` does not come to say what it should; it says:\n{text}");
            thread::sleep(PAUSE);
        }
    }

    /// Waits until a JavaScript expression has a value.
    #[track_caller]
    pub fn wait_for_value(&self, expression: &str, value: impl Into<Value>) {
        let (deadline, value) = (Instant::now() + PATIENCE, value.into());
        loop {
            let now = self.eval(&format!("return {expression}"));
            if now == value {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "`{expression}` does not come to be {value}; it is {now}{}",
                self.complaints()
            );
            thread::sleep(PAUSE);
        }
    }

    /// Waits until a JavaScript expression is true.
    #[track_caller]
    pub fn wait_until(&self, expression: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.eval(&format!("return !!({expression})")) != json!(true) {
            assert!(Instant::now() < deadline, "`{expression}` does not come true{}", self.complaints());
            thread::sleep(PAUSE);
        }
    }

    /// Runs the body of a JavaScript function in the page: `"return document.title"`. A promise is waited for.
    #[track_caller]
    pub fn eval(&self, script: &str) -> Value {
        self.must(self.driver().eval(script, &[]), script)
    }

    /// Runs a script as one of the page's own. What a driver runs may stand apart from the page's world (Firefox).
    #[track_caller]
    pub fn run_inside(&self, script: &str) {
        let put = "const script = document.createElement('script'); script.textContent = arguments[0]; document.head.append(script)";
        self.must(self.driver().eval(put, &[json!(script)]), script);
    }

    /// What the page complained about on the console since this was last asked. Errors that a story asks for are the
    /// story's business; all others fail it when the browser goes out of scope.
    pub fn console_errors(&self) -> Vec<String> {
        self.read_console();
        self.errors.take()
    }

    /// Waits until the page has complained with these words, which is what the story asked for.
    #[track_caller]
    pub fn wait_for_complaint(&self, words: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.read_console();
            let mut errors = self.errors.borrow_mut();
            if let Some(at) = errors.iter().position(|it| it.contains(words)) {
                errors.remove(at);
                return;
            }
            assert!(Instant::now() < deadline, "nothing on the console says `{words}`: {errors:?}");
            drop(errors);
            thread::sleep(PAUSE);
        }
    }

    // --- beneath -----------------------------------------------------------------------------------------------------

    /// The program runs when Trunk's loader has published its exports; a page without a program is ready when it is loaded.
    #[track_caller]
    fn wait_until_started(&self) {
        self.wait_until(
            "document.readyState === 'complete' && (window.wasmBindings || !document.querySelector('script[type=module]'))",
        );
    }

    /// Does something to the first element that matches, and tries again while the page is not yet there.
    #[track_caller]
    pub(crate) fn with_element(&self, css: &str, act: impl Fn(&str) -> Result<Value, Refusal>) -> Value {
        const PASSING: &[&str] = &[
            "no such element",
            "stale element reference",
            "element click intercepted",
            "element not interactable",
            "move target out of bounds",
            NOT_AT_REST,
        ];
        let deadline = Instant::now() + PATIENCE;
        loop {
            let refusal = match self.driver().find(css).and_then(|element| act(&element)) {
                Ok(value) => return value,
                Err(refusal) => refusal,
            };
            let passing = PASSING.contains(&refusal.kind.as_str());
            assert!(
                passing && Instant::now() < deadline,
                "`{css}`: {}: {}{}",
                refusal.kind,
                refusal.message,
                self.complaints()
            );
            thread::sleep(PAUSE);
        }
    }

    #[track_caller]
    pub(crate) fn must(&self, answer: Result<Value, Refusal>, what: &str) -> Value {
        match answer {
            Ok(value) => value,
            Err(refusal) => panic!("{}: `{what}`: {}: {}", self.engine(), refusal.kind, refusal.message),
        }
    }

    /// Moves new errors here: from the browser's log, which forgets what it has handed out, or from what the server heard.
    fn read_console(&self) {
        if !self.engine().tells_its_console() {
            self.errors.borrow_mut().extend(self.server.complaints());
            return;
        }
        let Ok(entries) = self.driver().post("se/log", &json!({ "type": "browser" })) else {
            return; // the browser is gone, and the story has failed for that
        };
        let entries = entries.as_array().cloned().unwrap_or_default();
        let errors = entries
            .iter()
            .filter(|entry| entry["level"] == "SEVERE")
            .filter_map(|entry| entry["message"].as_str().map(str::to_owned));
        self.errors.borrow_mut().extend(errors);
    }

    /// For the end of a message: what the console says, which often is the cause.
    pub(crate) fn complaints(&self) -> String {
        self.read_console();
        let errors = self.errors.borrow();
        if errors.is_empty() { String::new() } else { format!("\nThe console says:\n{}", errors.join("\n")) }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if thread::panicking() {
            self.keep_picture_of_failure(&self.story);
            return;
        }
        let errors = self.console_errors();
        if errors.is_empty()
            && let Some(driver) = self.driver.take()
        {
            self.pool.give_back(driver);
        }
        assert!(errors.is_empty(), "the page complained on the console:\n{}", errors.join("\n"));
    }
}

/// The folder of the built page: `$FENCEPOST_DIST`, or `dist/` of this checkout.
fn dist() -> PathBuf {
    match std::env::var_os("FENCEPOST_DIST") {
        Some(folder) if !folder.is_empty() => folder.into(),
        _ => checkout().join("dist"),
    }
}

pub(crate) fn checkout() -> PathBuf {
    let here =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let root = here.parent().and_then(Path::parent);
    root.expect("this package lies two folders deep").to_owned()
}
