//! What the browser tests are run with: three engines and their drivers, found, or installed where that can be done.

use crate::Result;
use crate::tools::{
    executable, find_in_path, find_program, install_crate, install_packages, install_packages_of_npm, require_node,
};
use std::fs;
use std::path::{Path, PathBuf};

/// The driver of Firefox, which Debian does not have.
const GECKODRIVER: &str = "0.37.1";

const AXE: &str = "4.14.1";

/// A browser and the driver that speaks for it.
struct Browser {
    browser: PathBuf,
    driver: PathBuf,
}

/// What the browser tests are run with, under the names by which they look for it.
pub fn all() -> Result<Vec<(&'static str, PathBuf)>> {
    let (chromium, firefox, webkit) = (chromium()?, firefox()?, webkit()?);
    Ok(vec![
        ("FENCEPOST_CHROMIUM", chromium.browser),
        ("FENCEPOST_CHROMEDRIVER", chromium.driver),
        ("FENCEPOST_FIREFOX", firefox.browser),
        ("FENCEPOST_GECKODRIVER", firefox.driver),
        ("FENCEPOST_MINIBROWSER", webkit.browser),
        ("FENCEPOST_WEBKITDRIVER", webkit.driver),
        ("FENCEPOST_AXE", axe()?),
    ])
}

/// Finds Chromium and ChromeDriver; on Debian and its kin, and as root, installs what is missing.
fn chromium() -> Result<Browser> {
    const BY_HAND: &str = "\
the browser tests need Chromium and ChromeDriver of one version: install both (Debian: `apt-get install chromium \
chromium-driver`), or name them in FENCEPOST_CHROMIUM and FENCEPOST_CHROMEDRIVER";
    const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome", "chrome"];
    // Fonts too: without any, a page has no text to measure, and nothing says so.
    const PACKAGES: &[&str] = &["chromium", "chromium-driver", "fonts-liberation"];
    let find = || {
        let browser = find_program("FENCEPOST_CHROMIUM", BROWSERS)?;
        Some(Browser { browser, driver: find_program("FENCEPOST_CHROMEDRIVER", &["chromedriver"])? })
    };
    find_or_install(find, PACKAGES, BY_HAND)
}

/// Finds Firefox, installs it as [`chromium`] does, and its driver, which Debian does not have.
fn firefox() -> Result<Browser> {
    const BY_HAND: &str = "\
the browser tests need Firefox: install it (Debian: `apt-get install firefox-esr`), or name it in FENCEPOST_FIREFOX";
    const BROWSERS: &[&str] = &["firefox-esr", "firefox"];
    let find = || find_program("FENCEPOST_FIREFOX", BROWSERS);
    let browser = find_or_install(find, &["firefox-esr"], BY_HAND)?;
    let driver = match find_program("FENCEPOST_GECKODRIVER", &[]) {
        Some(driver) => driver,
        None => install_crate("geckodriver", GECKODRIVER, &["--locked"], "geckodriver", "3 minutes")?
            .join(executable("geckodriver")),
    };
    Ok(Browser { browser, driver })
}

/// Finds WebKit's small browser and its driver, and the screen and the hand that they need; installs them as [`chromium`] does.
fn webkit() -> Result<Browser> {
    const BY_HAND: &str = "\
the browser tests need WebKitGTK with its driver, and a screen in memory: install them (Debian: `apt-get install webkit2gtk-driver \
xvfb xdotool`), or name the browser and its driver in FENCEPOST_MINIBROWSER and FENCEPOST_WEBKITDRIVER";
    let find = || {
        find_in_path("Xvfb").and(find_in_path("xdotool"))?;
        let browser = find_program("FENCEPOST_MINIBROWSER", &["MiniBrowser"]).or_else(mini_browser)?;
        Some(Browser { browser, driver: find_program("FENCEPOST_WEBKITDRIVER", &["WebKitWebDriver"])? })
    };
    find_or_install(find, &["webkit2gtk-driver", "xvfb", "xdotool"], BY_HAND)
}

/// Where Debian puts it: `/usr/lib/ARCHITECTURE/webkit2gtk-VERSION/MiniBrowser`.
fn mini_browser() -> Option<PathBuf> {
    let folders = |path: &Path| {
        let entries = fs::read_dir(path).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        let mut folders: Vec<PathBuf> = entries.collect();
        folders.sort();
        folders
    };
    let libraries = folders(Path::new("/usr/lib")).into_iter().flat_map(|library| folders(&library));
    let of_webkit = |path: &PathBuf| path.file_name().is_some_and(|it| it.to_string_lossy().starts_with("webkit2gtk-"));
    libraries.filter(of_webkit).map(|folder| folder.join("MiniBrowser")).rfind(|program| program.is_file())
}

/// What finds faults of a page that shut people out.
fn axe() -> Result<PathBuf> {
    require_node()?;
    let modules = install_packages_of_npm(&format!("axe-core-{AXE}"), &[format!("axe-core@{AXE}")])?;
    Ok(modules.join("axe-core").join("axe.min.js"))
}

fn find_or_install<T>(find: impl Fn() -> Option<T>, packages: &[&str], by_hand: &str) -> Result<T> {
    if let Some(found) = find() {
        return Ok(found);
    }
    install_packages(packages, "for the browser tests", by_hand)?;
    find().ok_or_else(|| format!("{} were installed, but what they hold is not found\n{by_hand}", packages.join(", ")))
}
