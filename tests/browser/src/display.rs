//! A screen in memory, for a browser that cannot do without one (WebKit).

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Ends with the value. One for each browser: only one window of a screen can have the keyboard.
pub struct Display {
    process: Child,
    name: String,
}

impl Display {
    pub fn start() -> Self {
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "3840x2160x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("cannot start Xvfb for webkit: {error}; `cargo xtask test --only browser` installs it")
            });
        let mut number = String::new();
        let stdout = process.stdout.take().expect("stdout is piped");
        let read = BufReader::new(stdout).read_line(&mut number);
        let display = Self { process, name: format!(":{}", number.trim()) };
        assert!(read.is_ok() && display.name.len() > 1, "Xvfb does not say which display it is");
        display
    }

    /// As programs find it in `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives the keyboard to the browser's window. Elsewhere a window manager does, and without it nothing matches `:focus`.
    pub fn focus(&self) {
        let focused = Command::new("xdotool")
            .args(["search", "--sync", "--onlyvisible", "--class", "MiniBrowser", "windowfocus", "--sync"])
            .env("DISPLAY", &self.name)
            .output()
            .unwrap_or_else(|error| {
                panic!("cannot start xdotool for webkit: {error}; `cargo xtask test --only browser` installs it")
            });
        assert!(focused.status.success(), "no window to focus: {}", String::from_utf8_lossy(&focused.stderr));
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
