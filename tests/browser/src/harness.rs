//! What stories are written with: a page in a browser, driven as a person would.
//!
//! ```no_run
//! use browser_tests::harness::Browser;
//!
//! let page = Browser::open("", 1440, 900, false);
//! page.click("#undo");
//! page.wait_for_text("#claim", |text| text.contains("paused"));
//! ```
//!
//! Each call waits, within reason, until it can do what it was asked, and panics with what it saw if it cannot. A story must
//! not sleep. When a `Browser` goes out of scope, the story fails if the page complained on the console, so that no story can
//! forget to ask. When a story fails, a picture of the page at that moment is kept in `target/browser/`.

use crate::driver::{Driver, Refusal};
use crate::server::Server;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long a page may take for anything.
const PATIENCE: Duration = Duration::from_secs(15);
const PAUSE: Duration = Duration::from_millis(25);

/// Below this width the page is shown as a phone shows it, with the viewport that the page asks for.
const PHONE_WIDTH: u32 = 600;

pub struct Browser {
    // Dropped in this order: the browser first, then what it loads from.
    driver: Driver,
    server: Server,
    /// Errors that were read from the browser but not yet asked for.
    errors: RefCell<Vec<String>>,
    /// What style sheets are told, by feature; Chromium wants all of it with each change.
    media: RefCell<BTreeMap<String, String>>,
}

impl Browser {
    /// Opens a path of the built page (`""` for the page itself, or such as `"#..."` and `"embed.html?..."`) in a new
    /// browser whose viewport is exactly of this size, and waits until the program runs.
    #[track_caller]
    pub fn open(path: &str, width: u32, height: u32, dark: bool) -> Self {
        Self::open_sharp(path, width, height, dark, 1)
    }

    /// The same with `sharpness` dots to each pixel of CSS.
    #[track_caller]
    pub fn open_sharp(path: &str, width: u32, height: u32, dark: bool, sharpness: u32) -> Self {
        let dist = dist();
        assert!(
            dist.join("index.html").is_file(),
            "there is no page in {}: `cargo xtask dist` builds it",
            dist.display()
        );
        let browser = Self {
            server: Server::start(&dist),
            driver: Driver::start(),
            errors: RefCell::default(),
            media: RefCell::default(),
        };
        browser.resize(width, height, sharpness);
        browser.prefer_dark(dark);
        browser.go(path);
        browser
    }

    /// Loads another path of the page in the same browser, with its history and storage.
    #[track_caller]
    pub fn go(&self, path: &str) {
        let url = self.server.url() + path;
        self.must(self.driver.post("url", &json!({ "url": url })), &url);
        self.wait_until_started();
    }

    /// The address that the browser shows, from the page's folder on.
    #[track_caller]
    pub fn path(&self) -> String {
        let url = self.must(self.driver.get("url"), "the address");
        let url = url.as_str().unwrap_or_default();
        url.strip_prefix(&self.server.url()).unwrap_or(url).to_owned()
    }

    #[track_caller]
    pub fn reload(&self) {
        self.must(self.driver.post("refresh", &json!({})), "reload");
        self.wait_until_started();
    }

    #[track_caller]
    pub fn back(&self) {
        self.must(self.driver.post("back", &json!({})), "back");
    }

    /// Sets the size of the viewport, which a window cannot have below some width.
    #[track_caller]
    pub fn resize(&self, width: u32, height: u32, sharpness: u32) {
        let metrics = json!({
            "width": width,
            "height": height,
            "deviceScaleFactor": sharpness,
            "mobile": width < PHONE_WIDTH,
        });
        let set = self.driver.chromium("Emulation.setDeviceMetricsOverride", &metrics);
        self.must(set, "resize");
    }

    #[track_caller]
    pub fn prefer_dark(&self, dark: bool) {
        self.emulate("prefers-color-scheme", if dark { "dark" } else { "light" });
    }

    /// Sets one feature that style sheets ask for, such as `prefers-reduced-motion`.
    #[track_caller]
    pub fn emulate(&self, feature: &str, value: &str) {
        let mut media = self.media.borrow_mut();
        media.insert(feature.to_owned(), value.to_owned());
        let features: Vec<Value> = media.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        let features = json!({ "features": features });
        let set = self.driver.chromium("Emulation.setEmulatedMedia", &features);
        self.must(set, feature);
    }

    /// From now on these addresses (with `*` for anything) do not answer; none: all do again.
    #[track_caller]
    pub fn block(&self, addresses: &[&str]) {
        self.must(self.driver.chromium("Network.enable", &json!({})), "the network");
        self.must(self.driver.chromium("Network.setBlockedURLs", &json!({ "urls": addresses })), "blocking");
    }

    // --- acting ------------------------------------------------------------------------------------------------------

    /// Clicks the middle of the first element that matches, once it is there and nothing covers it.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.with_element(css, |element| self.driver.post(&format!("element/{element}/click"), &json!({})));
    }

    /// Replaces all text of a field by typing, as a person would.
    #[track_caller]
    pub fn fill(&self, css: &str, text: &str) {
        self.click(css);
        // Typed over what is selected, so that the page never sees the field empty in between.
        let typed = if text.is_empty() { key("Delete") } else { text };
        let keys = format!("{}a{NO_MODIFIER}{typed}", key("Control"));
        self.with_element(css, |element| {
            let body = json!({ "text": keys });
            self.driver.post(&format!("element/{element}/value"), &body)
        });
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
        let body = json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] });
        self.must(self.driver.post("actions", &body), combination);
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
            self.driver.post("actions", &body)
        });
    }

    // --- seeing ------------------------------------------------------------------------------------------------------

    /// The text of the first element that matches, as a person sees it.
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        let text = self.with_element(css, |element| self.driver.get(&format!("element/{element}/text")));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// A property of the first element that matches, such as `value`, `checked` or `href`.
    #[track_caller]
    pub fn property(&self, css: &str, name: &str) -> Value {
        self.with_element(css, |element| self.driver.get(&format!("element/{element}/property/{name}")))
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
        let body = json!({ "script": script, "args": [] });
        self.must(self.driver.post("execute/sync", &body), script)
    }

    /// What the page complained about on the console since this was last asked. Errors that a story asks for are the
    /// story's business; all others fail it when the browser goes out of scope.
    pub fn console_errors(&self) -> Vec<String> {
        self.read_console();
        self.errors.take()
    }

    /// Keeps a picture of what is visible as `target/browser/NAME.png`, and returns its path.
    #[track_caller]
    pub fn screenshot(&self, name: &str) -> PathBuf {
        let path = pictures().join(format!("{name}.png"));
        self.screenshot_to(&path, false);
        path
    }

    /// Writes a picture of what is visible, or of the whole page however long.
    #[track_caller]
    pub fn screenshot_to(&self, path: &Path, whole_page: bool) {
        let mut parameters = json!({ "format": "png" });
        if whole_page {
            let metrics = self.driver.chromium("Page.getLayoutMetrics", &json!({}));
            let metrics = self.must(metrics, "the page's size");
            let size = &metrics["cssContentSize"];
            parameters["captureBeyondViewport"] = json!(true);
            parameters["clip"] =
                json!({ "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1 });
        }
        let shot = self.driver.chromium("Page.captureScreenshot", &parameters);
        let shot = self.must(shot, "a picture");
        let bytes = BASE64.decode(shot["data"].as_str().unwrap_or_default()).expect("a picture in base64");
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("a folder for pictures");
        }
        fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
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
            let refusal = match self.driver.find(css).and_then(|element| act(&element)) {
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
    fn must(&self, answer: Result<Value, Refusal>, what: &str) -> Value {
        match answer {
            Ok(value) => value,
            Err(refusal) => panic!("`{what}`: {}: {}", refusal.kind, refusal.message),
        }
    }

    /// Moves new errors from the browser's log, which forgets what it has handed out.
    fn read_console(&self) {
        let Ok(entries) = self.driver.post("se/log", &json!({ "type": "browser" })) else {
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
    fn complaints(&self) -> String {
        self.read_console();
        let errors = self.errors.borrow();
        if errors.is_empty() { String::new() } else { format!("\nThe console says:\n{}", errors.join("\n")) }
    }

    fn keep_picture_of_failure(&self) {
        let story = thread::current().name().unwrap_or("story").replace("::", "-");
        let path = pictures().join(format!("failed-{story}.png"));
        // The browser may be what failed: whatever goes wrong here must not hide why the story did.
        let shot = self.driver.chromium("Page.captureScreenshot", &json!({}));
        let bytes = shot.ok().and_then(|shot| BASE64.decode(shot["data"].as_str()?).ok());
        if let Some(bytes) = bytes
            && fs::create_dir_all(pictures()).is_ok()
            && fs::write(&path, bytes).is_ok()
        {
            eprintln!("The page at that moment: {}", path.display());
        }
        eprint!("{}", self.complaints());
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if thread::panicking() {
            self.keep_picture_of_failure();
            return;
        }
        let errors = self.console_errors();
        assert!(errors.is_empty(), "the page complained on the console:\n{}", errors.join("\n"));
    }
}

/// Lifts all keys held down by a `value` command.
const NO_MODIFIER: &str = "\u{E000}";

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

fn pictures() -> PathBuf {
    checkout().join("target").join("browser")
}

fn checkout() -> PathBuf {
    let here =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let root = here.parent().and_then(Path::parent);
    root.expect("this package lies two folders deep").to_owned()
}
