//! Pictures of the built page, to be looked at: three widths, light and dark, what is visible and the whole page.
//!
//! `cargo run -p browser-tests --bin shoot -- --out DIR`; with a page from `cargo xtask dist`.

use browser_tests::engine::Engine;
use browser_tests::story::Visitor;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: shoot --out DIR [options]
  --out DIR             where the pictures go
  --name NAME           what their names begin with (page)
  --url-suffix SUFFIX   what comes after the page's folder: '#...', 'embed.html?...'
  --only WIDTH          one width only: 1440, 1024 or 390; may be given several times
  --scheme SCHEME       light or dark only
  --sharpness N         dots to each pixel of CSS (1)
  --click CSS           clicked before the pictures are taken; may be given several times
  --eval SCRIPT         body of a JavaScript function, run after the clicks
";

const SIZES: &[(u32, u32)] = &[(1440, 900), (1024, 900), (390, 844)];

struct Options {
    out: PathBuf,
    name: String,
    suffix: String,
    widths: Vec<u32>,
    schemes: Vec<&'static str>,
    sharpness: u32,
    clicks: Vec<String>,
    script: Option<String>,
}

fn main() -> ExitCode {
    match options(std::env::args().skip(1)) {
        Ok(options) => {
            shoot(&options);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprint!("{message}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn shoot(options: &Options) {
    let visitor = Visitor::passing(Engine::Chromium);
    for (width, height) in SIZES {
        if !options.widths.is_empty() && !options.widths.contains(width) {
            continue;
        }
        for scheme in &options.schemes {
            let dark = *scheme == "dark";
            let page = visitor.open(&options.suffix, *width, *height, dark);
            page.resize(*width, *height, options.sharpness);
            for css in &options.clicks {
                page.click(css);
            }
            if let Some(script) = &options.script {
                page.eval(script);
            }
            // Fonts are there, and what was changed last has been painted.
            page.eval(
                "return document.fonts.ready.then(() => new Promise(done => \
                 requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))",
            );
            for (whole, ending) in [(false, ""), (true, "-full")] {
                let name = format!("{}-{width}-{scheme}{ending}.png", options.name);
                let path = options.out.join(name);
                page.screenshot_to(&path, whole);
                println!("{}", path.display());
            }
        }
    }
}

fn options(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut out = None;
    let mut options = Options {
        out: PathBuf::new(),
        name: "page".to_owned(),
        suffix: String::new(),
        widths: Vec::new(),
        schemes: vec!["light", "dark"],
        sharpness: 1,
        clicks: Vec::new(),
        script: None,
    };
    let mut rest = arguments;
    while let Some(argument) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("`{argument}` is unknown or needs a value"))?;
        match argument.as_str() {
            "--out" => out = Some(value.into()),
            "--name" => options.name = value,
            "--url-suffix" => options.suffix = value,
            "--only" => {
                let width = value.parse().ok();
                let known = width.filter(|width| SIZES.iter().any(|size| size.0 == *width));
                options.widths.push(known.ok_or_else(|| format!("no width `{value}`"))?);
            }
            "--scheme" => match value.as_str() {
                "light" => options.schemes = vec!["light"],
                "dark" => options.schemes = vec!["dark"],
                _ => return Err(format!("no scheme `{value}`")),
            },
            "--sharpness" => {
                options.sharpness = value.parse().map_err(|_| format!("no number `{value}`"))?;
            }
            "--click" => options.clicks.push(value),
            "--eval" => options.script = Some(value),
            _ => return Err(format!("`{argument}` is unknown")),
        }
    }
    options.out = out.ok_or("--out says where the pictures go")?;
    Ok(options)
}
