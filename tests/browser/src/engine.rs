//! The three engines that people's browsers are made of, and what is peculiar about driving each.
//!
//! Chromium can be asked for nearly everything over its own protocol. Firefox lets its driver act as the browser itself
//! ("chrome context"). WebKit offers neither: its size is a window's, its colours are those of the desktop.

use serde_json::{Value, json};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

impl Engine {
    pub const ALL: &[Engine] = &[Engine::Chromium, Engine::Firefox, Engine::WebKit];

    pub fn name(self) -> &'static str {
        match self {
            Engine::Chromium => "chromium",
            Engine::Firefox => "firefox",
            Engine::WebKit => "webkit",
        }
    }

    /// Whether the driver hands out what the page says on the console. Where it does not, the server gives each page ears.
    pub fn tells_its_console(self) -> bool {
        self == Engine::Chromium
    }

    /// The driver, told to listen on `port`; `display` is where a browser that needs a screen finds one.
    pub(crate) fn driver(self, port: u16, scratch: &Path, display: Option<&str>, dark: bool) -> Command {
        let (variable, usual) = match self {
            Engine::Chromium => ("FENCEPOST_CHROMEDRIVER", "chromedriver"),
            Engine::Firefox => ("FENCEPOST_GECKODRIVER", "geckodriver"),
            Engine::WebKit => ("FENCEPOST_WEBKITDRIVER", "WebKitWebDriver"),
        };
        let mut command = Command::new(chosen(variable).unwrap_or_else(|| usual.into()));
        command.arg(format!("--port={port}")).env("TMPDIR", scratch);
        match self {
            Engine::Chromium => {}
            Engine::Firefox => {
                command.arg("--allow-system-access").env("HOME", scratch);
            }
            Engine::WebKit => {
                command
                    .env("HOME", scratch)
                    .env("DISPLAY", display.unwrap_or_default())
                    .env("GTK_THEME", if dark { "Adwaita:dark" } else { "Adwaita" })
                    // Neither a desktop's settings nor its helpers are there, and none is waited for.
                    .env("GSETTINGS_BACKEND", "memory")
                    .env("NO_AT_BRIDGE", "1")
                    .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
                    // A sandbox inside a container is refused by many machines; the page is our own.
                    .env("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")
                    .env("LIBGL_ALWAYS_SOFTWARE", "1");
            }
        }
        command
    }

    pub(crate) fn capabilities(self) -> Value {
        match self {
            Engine::Chromium => chromium(),
            Engine::Firefox => firefox(),
            Engine::WebKit => webkit(),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn chromium() -> Value {
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
    capabilities
}

fn firefox() -> Value {
    let browser = chosen("FENCEPOST_FIREFOX").unwrap_or_else(|| "/usr/bin/firefox-esr".into());
    json!({
        "moz:firefoxOptions": {
            "binary": browser,
            "args": ["-headless"],
            "prefs": {
                // The page must call nowhere: what is not on this machine goes to a proxy that is not there.
                "network.proxy.type": 1,
                "network.proxy.http": "127.0.0.1",
                "network.proxy.http_port": 9,
                "network.proxy.ssl": "127.0.0.1",
                "network.proxy.ssl_port": 9,
                // As phones have them, and the others here: beside the page they would make it narrower than asked for.
                "ui.useOverlayScrollbars": 1,
                // The clock that a page may read is made coarse to hinder fingerprinting, and a story measures with it.
                "privacy.reduceTimerPrecision": false,
            },
        },
    })
}

fn webkit() -> Value {
    let usual = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
    let browser = chosen("FENCEPOST_MINIBROWSER").unwrap_or_else(|| usual.into());
    json!({
        "browserName": "MiniBrowser",
        "webkitgtk:browserOptions": { "binary": browser, "args": ["--automation"] },
    })
}

/// The program that an environment variable names.
pub(crate) fn chosen(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).filter(|path| !path.is_empty())?;
    Some(path.into())
}
