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
//! Each call waits, within reason, until it can do what it was asked, and panics with what it saw if it cannot. A story must
//! not sleep. When a `Browser` goes out of scope, the story fails if the page complained on the console, so that no story can
//! forget to ask. When a story fails, a picture of the page at that moment is kept in `target/browser/`.

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

/// How long a page may take for anything, beside two others on a machine of two cores.
const PATIENCE: Duration = Duration::from_secs(45);
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

    // --- acting ------------------------------------------------------------------------------------------------------

    /// Clicks the middle of the first element that matches, once it is there and nothing covers it.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.with_element(css, |element| self.driver().post(&format!("element/{element}/click"), &json!({})));
    }

    /// Replaces all text of a field by typing, as a person would.
    #[track_caller]
    pub fn fill(&self, css: &str, text: &str) {
        self.click(css);
        // Typed over what is selected, so that the page never sees the field empty in between.
        self.press("Control+a");
        let stroke = |key: &str| [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })];
        let delete = key("Delete");
        let strokes: Vec<Value> = if text.is_empty() {
            stroke(delete).into()
        } else {
            text.chars().flat_map(|it| stroke(it.encode_utf8(&mut [0; 4]))).collect()
        };
        self.keys(strokes, text);
    }

    /// Replaces all text of a field at once, as by pasting.
    #[track_caller]
    pub fn put(&self, css: &str, text: &str) {
        self.wait_for(css);
        let put = "const [css, text] = arguments, field = document.querySelector(css); field.focus(); field.value = text; \
             field.dispatchEvent(new Event('input', { bubbles: true }))";
        self.must(self.driver().eval(put, &[json!(css), json!(text)]), css);
    }

    /// Chooses a file in a field for files.
    #[track_caller]
    pub fn choose_file(&self, css: &str, file: &Path) {
        let body = json!({ "text": file.display().to_string() });
        self.with_element(css, |element| self.driver().post(&format!("element/{element}/value"), &body));
    }

    /// Presses a key where the focus is: `"Tab"`, `"?"`, `"Control+Shift+z"`.
    #[track_caller]
    pub fn press(&self, combination: &str) {
        let keys: Vec<&str> = match combination {
            "+" => vec!["+"],
            _ => combination.split('+').map(key).collect(),
        };
        let action = |kind: &str, key: &str| json!({ "type": kind, "value": key });
        let down = keys.iter().map(|key| action("keyDown", key));
        let up = keys.iter().rev().map(|key| action("keyUp", key));
        let actions: Vec<Value> = down.chain(up).collect();
        self.keys(actions, combination);
    }

    #[track_caller]
    fn keys(&self, actions: Vec<Value>, what: &str) {
        let body = json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] });
        self.must(self.driver().post("actions", &body), what);
    }

    /// Moves the pointer to the middle of an element.
    #[track_caller]
    pub fn hover(&self, css: &str) {
        self.point(css, |target| vec![move_to(target, 0, 0)]);
    }

    /// Takes hold of the middle of an element, moves by so many pixels in small steps, and lets go.
    #[track_caller]
    pub fn drag(&self, css: &str, dx: i32, dy: i32) {
        const STEPS: i32 = 10;
        self.point(css, |target| {
            let mut actions = vec![move_to(target, 0, 0), json!({ "type": "pointerDown", "button": 0 })];
            for step in 1..=STEPS {
                let part = |whole: i32| whole * step / STEPS - whole * (step - 1) / STEPS;
                actions.push(move_to(&json!("pointer"), part(dx), part(dy)));
            }
            actions.push(json!({ "type": "pointerUp", "button": 0 }));
            actions
        });
    }

    #[track_caller]
    fn point(&self, css: &str, actions: impl Fn(&Value) -> Vec<Value>) {
        self.with_element(css, |element| {
            let body = json!({ "actions": [{
                "type": "pointer",
                "id": "mouse",
                "parameters": { "pointerType": "mouse" },
                "actions": actions(&Driver::reference(element)),
            }] });
            self.driver().post("actions", &body)
        });
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
    fn with_element(&self, css: &str, act: impl Fn(&str) -> Result<Value, Refusal>) -> Value {
        const PASSING: &[&str] = &[
            "no such element",
            "stale element reference",
            "element click intercepted",
            "element not interactable",
            "move target out of bounds",
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

/// What WebDriver calls a key; a character stands for itself.
fn key(name: &str) -> &str {
    match name {
        "Backspace" => "\u{E003}",
        "Tab" => "\u{E004}",
        "Enter" => "\u{E007}",
        "Shift" => "\u{E008}",
        "Control" => "\u{E009}",
        "Alt" => "\u{E00A}",
        "Escape" => "\u{E00C}",
        "Space" => " ",
        "PageUp" => "\u{E00E}",
        "PageDown" => "\u{E00F}",
        "End" => "\u{E010}",
        "Home" => "\u{E011}",
        "ArrowLeft" => "\u{E012}",
        "ArrowUp" => "\u{E013}",
        "ArrowRight" => "\u{E014}",
        "ArrowDown" => "\u{E015}",
        "Delete" => "\u{E017}",
        character => {
            assert!(character.chars().count() == 1, "`{character}` is no key that this harness knows");
            character
        }
    }
}

fn move_to(origin: &Value, x: i32, y: i32) -> Value {
    json!({ "type": "pointerMove", "duration": 10, "origin": origin, "x": x, "y": y })
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
