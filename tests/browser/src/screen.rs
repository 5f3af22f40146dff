//! What the page is shown on: its size, the wishes of the person before it, and pictures of it.

use crate::engine::Engine;
use crate::harness::Browser;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Below this width the page is shown as a phone shows it, with the viewport that the page asks for.
const PHONE_WIDTH: u32 = 600;

/// Makes Firefox's window as large as needed for a page of this size: its bars take some, and so narrow as no person could.
const RESIZE_FIREFOX: &str = "
    const [width, height] = arguments, view = gBrowser.selectedBrowser;
    document.documentElement.style.setProperty('min-width', '0', 'important');
    document.documentElement.style.setProperty('min-height', '0', 'important');
    window.resizeTo(Math.max(width, 500) + 20, height + 400);
    for (const [name, value] of [['width', width], ['height', height]]) {
        for (const most of ['min-', 'max-', '']) view.style.setProperty(most + name, value + 'px', 'important');
    }
    view.style.setProperty('flex', 'none', 'important');";

impl Browser {
    /// Sets the size of the viewport, which a window cannot have below some width.
    #[track_caller]
    pub fn resize(&self, width: u32, height: u32, sharpness: u32) {
        match self.engine() {
            Engine::Chromium => {
                let metrics = json!({
                    "width": width,
                    "height": height,
                    "deviceScaleFactor": sharpness,
                    "mobile": width < PHONE_WIDTH,
                });
                let set = self.driver().chromium("Emulation.setDeviceMetricsOverride", &metrics);
                self.must(set, "resize");
                return;
            }
            Engine::Firefox => {
                let set = self.driver().firefox(RESIZE_FIREFOX, &[json!(width), json!(height)]);
                self.must(set, "resize");
            }
            Engine::WebKit => {
                let rect = json!({ "x": 0, "y": 0, "width": width, "height": height });
                self.must(self.driver().post("window/rect", &rect), "resize");
            }
        }
        assert_eq!(sharpness, 1, "only Chromium can be told how many dots a pixel has");
        self.wait_until(&format!("innerWidth == {width} && innerHeight == {height}"));
    }

    /// Whether dark colours are preferred. WebKit is told when it starts.
    #[track_caller]
    pub fn prefer_dark(&self, dark: bool) {
        self.emulate("prefers-color-scheme", if dark { "dark" } else { "light" });
    }

    /// Sets one feature that style sheets ask for, such as `prefers-reduced-motion`.
    #[track_caller]
    pub fn emulate(&self, feature: &str, value: &str) {
        match self.engine() {
            Engine::Chromium => {
                let mut media = self.media.borrow_mut();
                media.insert(feature.to_owned(), value.to_owned());
                // All of it with each change.
                let features: Vec<Value> =
                    media.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
                let set = self.driver().chromium("Emulation.setEmulatedMedia", &json!({ "features": features }));
                self.must(set, feature);
            }
            Engine::Firefox => {
                let (name, number) = match (feature, value) {
                    ("prefers-color-scheme", "dark") => ("layout.css.prefers-color-scheme.content-override", 0),
                    ("prefers-color-scheme", _) => ("layout.css.prefers-color-scheme.content-override", 1),
                    ("prefers-reduced-motion", "reduce") => ("ui.prefersReducedMotion", 1),
                    ("prefers-reduced-motion", _) => ("ui.prefersReducedMotion", 0),
                    _ => panic!("Firefox cannot be told `{feature}`"),
                };
                let script = "Services.prefs.setIntPref(arguments[0], arguments[1])";
                self.must(self.driver().firefox(script, &[json!(name), json!(number)]), feature);
            }
            Engine::WebKit => {
                let told = if self.driver().is_dark() { "dark" } else { "light" };
                assert_eq!((feature, value), ("prefers-color-scheme", told), "WebKit is told when it starts");
            }
        }
        self.wait_until(&format!("matchMedia('({feature}: {value})').matches"));
    }

    /// What the page would look like on paper, on screen; `false` takes it back. Only for Chromium.
    #[track_caller]
    pub fn emulate_print(&self, print: bool) {
        let media = json!({ "media": if print { "print" } else { "" } });
        self.must(self.driver().chromium("Emulation.setEmulatedMedia", &media), "print");
    }

    /// Keeps a picture of what is visible as `target/browser/NAME.png`, and returns its path.
    #[track_caller]
    pub fn screenshot(&self, name: &str) -> PathBuf {
        let path = pictures().join(format!("{name}.png"));
        self.screenshot_to(&path, false);
        path
    }

    /// Writes a picture of what is visible; or, with Chromium, of the whole page however long.
    #[track_caller]
    pub fn screenshot_to(&self, path: &Path, whole_page: bool) {
        let bytes = if whole_page { self.whole_picture() } else { self.picture() };
        let bytes = bytes.unwrap_or_else(|problem| panic!("no picture: {problem}"));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("a folder for pictures");
        }
        fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    fn picture(&self) -> Result<Vec<u8>, String> {
        let shot = self.driver().get("screenshot").map_err(|refusal| refusal.message)?;
        BASE64.decode(shot.as_str().unwrap_or_default()).map_err(|error| error.to_string())
    }

    fn whole_picture(&self) -> Result<Vec<u8>, String> {
        let chromium = |command: &str, parameters: Value| {
            self.driver().chromium(command, &parameters).map_err(|refusal| refusal.message)
        };
        let metrics = chromium("Page.getLayoutMetrics", json!({}))?;
        let size = &metrics["cssContentSize"];
        let clip = json!({ "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1 });
        let parameters = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let shot = chromium("Page.captureScreenshot", parameters)?;
        BASE64.decode(shot["data"].as_str().unwrap_or_default()).map_err(|error| error.to_string())
    }

    /// The browser may be what failed: whatever goes wrong here must not hide why the story did.
    pub(crate) fn keep_picture_of_failure(&self, story: &str) {
        let path = pictures().join(format!("failed-{story}.png"));
        if let Ok(bytes) = self.picture()
            && fs::create_dir_all(pictures()).is_ok()
            && fs::write(&path, bytes).is_ok()
        {
            eprintln!("The page at that moment: {}", path.display());
        }
        eprint!("{}", self.complaints());
    }
}

fn pictures() -> PathBuf {
    crate::harness::checkout().join("target").join("browser")
}
