//! What is written for other programs: one hostile scenario through every writer, and the shape of what comes out.

use fencepost::export::{Format, Source, of_text, png, qr};
use fencepost::run::{self, Run};
use fencepost::scenario::{self, preset};

/// Texts that want to be something else than text. Names of workers and locks cannot: the language has letters, digits and two signs for them.
const HOSTILE: [&str; 9] = [
    "<script>alert(1)</script><img src=x onerror=alert(2)>&amp;]]>--><!--",
    "\"); alert('x'); //` ${x} {0} {A} %n %getenv(HOME)",
    "\u{202e}desrever \u{2066}\u{200b}\u{feff}hidden\u{200f}",
    "**bold** [link](javascript:alert(1)) ![i](https://evil.example/x.png) | cell | <b>",
    "end",
    "#1; @enduml !include /etc/passwd ...x... ==y== [[https://evil.example]] <$sprite> &#60;b&#62; <U+0041>",
    "%%{init: {\"securityLevel\":\"loose\"}}%% ; loop x ; click p0 call alert()",
    "line one\n# heading\n---\n@enduml\nend\nparticipant evil\n</svg></text>",
    "https://evil.example www.evil.example @everyone 1. one",
];

const LONGEST: &str = "Donaudampfschifffahrtsgesellschaft-onerr";

fn hostile() -> String {
    let quote = |s: &str| serde_json::to_string(s).expect("a text is JSON");
    let long = "Wortungetüm".repeat(400);
    let all = HOSTILE.concat();
    let mut text = format!(
        "schema = \"fencepost.scenario/1\"\ntitle = {}\nclaim = {}\nstory = {}\nsource = [{}]\n",
        quote(HOSTILE[0]),
        quote(&all),
        quote(&format!("{all}{long}")),
        HOSTILE.map(quote).join(", ")
    );
    let base = preset::by_id("gc-pause").expect("it is there").text;
    let from = base.find("[[worker]]").expect("it has workers");
    let to = base.find("[[design]]").expect("it has designs");
    // A worker has the longest name that there may be.
    text.push_str(&base[from..to].replace("\"W1\"", &quote(LONGEST)));
    for name in HOSTILE {
        text.push_str(&format!("[[design]]\nname = {}\nprotection = \"fencing\"\n", quote(name)));
    }
    text
}

fn written(format: Format) -> String {
    let text = hostile();
    let designs: Vec<usize> = (0..HOSTILE.len()).collect();
    of_text(format, &text, &designs, "https://example.org/#p=x>y<z \"q\"").expect("it is a scenario")
}

fn runs(text: &str, most: usize) -> (scenario::Scenario, Vec<Run>) {
    let s = scenario::parse(text).scenario.expect("it is a scenario");
    let runs = (0..s.designs().len().min(most)).map(|i| run::run(&s, i)).collect();
    (s, runs)
}

/// Nothing turns the rest of a line around, or hides in it.
fn plain(text: &str) {
    for c in ['\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{200f}'] {
        assert!(!text.contains(c), "{c:?}");
    }
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "a control character");
}

#[test]
fn hostile_text_is_text_in_svg() {
    let svg = written(Format::Svg);
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg.as_str();
    while let Some((text, tag)) = rest.split_once('<') {
        assert!(!text.contains('>') || open.last() == Some(&"style"), "a bracket in text: {text}");
        let (tag, after) = tag.split_once('>').expect("an element is closed");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        let known = [
            "svg", "title", "desc", "style", "rect", "text", "g", "path", "defs", "pattern", "marker", "circle",
            "ellipse", "tspan", "line",
        ];
        assert!(known.contains(&name), "<{tag}>");
        assert!(!tag.contains("onerror=") && !tag.contains("href"), "<{tag}>");
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name)),
            (false, false) => open.push(name),
            (false, true) => {}
        }
        rest = after;
    }
    assert!(open.is_empty());
    assert!(svg.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!svg.contains("var(--"));
    assert!(!svg.chars().any(|c| c.is_control() && c != '\n'), "XML has no control characters");
}

#[test]
fn hostile_text_is_text_in_mermaid() {
    let text = written(Format::Mermaid);
    plain(&text);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!([lines[0], lines[2], lines[3]], ["---", "---", "sequenceDiagram"]);
    let title = lines[1].strip_prefix("title: ").expect("the second line is the title");
    assert_eq!(serde_json::from_str::<String>(title).expect("a JSON text"), HOSTILE[0]);
    for line in &lines[4..] {
        let line = line.trim();
        let (head, said) = line.split_once(": ").unwrap_or((line, ""));
        let message = head.starts_with('p') && head.contains(">>p") || head.contains("-)p") || head.contains("-xp");
        let known =
            message || head.starts_with("Note over p") || head.starts_with("participant p") || head.starts_with("%% ");
        assert!(known, "{line}");
        let mut rest = said;
        while let Some((_, code)) = rest.split_once('#') {
            let (digits, after) = code.split_once(';').expect("a # begins the number of a character");
            assert!(digits.parse::<u32>().is_ok(), "{line}");
            rest = after;
        }
        assert!(head.starts_with("%%") || !said.contains(['<', '>', '"', '%', '{', '`']), "{line}");
    }
}

#[test]
fn hostile_text_is_text_in_plantuml() {
    let text = written(Format::PlantUml);
    plain(&text);
    let mut inside = false;
    for line in text.lines() {
        match line {
            "@startuml" => inside = !std::mem::replace(&mut inside, true),
            "@enduml" => inside = !std::mem::replace(&mut inside, false),
            _ => {}
        }
        let known = [
            "@startuml",
            "@enduml",
            "' ",
            "hide footbox",
            "title ",
            "participant \"",
            "control \"",
            "database \"",
            "p",
            "note over p",
            "...",
        ];
        assert!(known.iter().any(|k| line.starts_with(k)), "{line}");
        let unescaped = line.replace("<U+", "");
        assert!(
            line.starts_with("' ")
                || !unescaped.contains(['<', '%', '!', '$', '[', '~', '\\', '*', '/', '#', '&', ';']),
            "{line}"
        );
    }
    assert_eq!(text.matches("@startuml\n").count(), HOSTILE.len());
    assert_eq!(text.matches("@enduml\n").count(), HOSTILE.len());
}

#[test]
fn hostile_text_is_text_in_markdown() {
    let text = written(Format::Markdown);
    plain(&text);
    assert_eq!(text.lines().filter(|l| l.starts_with("# ")).count(), 1);
    assert_eq!(text.lines().filter(|l| l.starts_with("## ")).count(), HOSTILE.len());
    assert_eq!(text.lines().filter(|l| *l == "---").count(), 1);
    // Every sign that means something is escaped, but for those that this format writes itself.
    let mut escaped = false;
    for line in text.lines().filter(|l| !l.starts_with("[Open it") && !l.starts_with("| ---:")) {
        for c in line.chars() {
            assert!(escaped || !['<', '[', ']', '!', '~', '$', '{'].contains(&c), "{line}");
            escaped = c == '\\' && !escaped;
        }
    }
    assert!(text.ends_with("](<https://example.org/#p=x%3Ey%3Cz%20\"q\">)\n"));
    assert!(!text.contains("https://evil") && !text.contains("www.evil"), "no text becomes a link");
}

#[test]
fn hostile_text_is_text_in_data() {
    let (s, runs) = runs(&hostile(), 1);
    for format in [Format::Json, Format::Trace] {
        let value: serde_json::Value = serde_json::from_str(&written(format)).expect("JSON");
        let scenario = if format == Format::Trace { &value["scenario"] } else { &value };
        assert_eq!(scenario["title"], HOSTILE[0], "data is not changed");
    }
    assert_eq!(written(Format::Toml), hostile());
    let told =
        scenario::parse(&Format::Toml.write(&Source { text: s.canonical(), scenario: &s, runs: &runs, link: "" }));
    assert_eq!(told.scenario.expect("it is a scenario").canonical(), s.canonical());
}

/// The smallest picture there is, as a browser would draw it.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\xdac\xfc\xff\x9f\xa1\x1e\0\x07\x82\x02\x7f=\xc8H\xef\0\0\0\0IEND\xaeB`\x82";

#[test]
fn a_picture_carries_its_scenario() {
    let text = hostile();
    let with = png::put(PICTURE, &text).expect("it is a PNG");
    assert_eq!(png::take(&with).expect("it is in there"), text);
    // Saved again with another scenario, it carries one.
    let again = png::put(&with, "other").expect("it is a PNG");
    assert_eq!(png::take(&again).expect("it is in there"), "other");
    assert_eq!(again.len(), PICTURE.len() + 12 + "fencepost.scenario".len() + 5 + "other".len());
    // The length and the checksum stand around kind and contents, as the format has it.
    let at = with.windows(4).position(|w| w == b"iTXt").expect("a chunk");
    assert_eq!(at, 8 + 25 + 4, "right behind the header");

    assert!(png::put(b"GIF89a", &text).is_none());
    for (broken, why) in [(PICTURE, "carries no scenario"), (&with[..60], "damaged"), (b"\x89PNG", "damaged")] {
        assert!(png::take(broken).expect_err("refused").why.contains(why));
    }
    for at in 0..with.len().min(300) {
        let mut damaged = with.clone();
        damaged[at] ^= 0x55;
        // Another text or a refusal, and no panic.
        let _ = png::take(&damaged);
    }
}

#[test]
fn a_code_is_black_on_white_and_has_an_edge() {
    let svg = qr::svg("https://example.org/#p=gc-pause").expect("it is short");
    assert!(svg.contains("fill=\"#fff\" d=\"M0 0h"));
    assert!(svg.contains("fill=\"#000\" d=\"M2 2h7"), "the first corner stands two modules in: {svg}");
    assert!(qr::svg(&"x".repeat(2_000)).is_none(), "too dense to be read");
}

/// Every story in every format: nothing panics, every design is there, and the drawings are well formed as far as a line can tell.
#[test]
fn every_story_is_written_in_every_format() {
    for p in preset::all() {
        let (s, runs) = runs(p.text, 2);
        let source = Source { text: p.text, scenario: &s, runs: &runs, link: "" };
        for format in Format::ALL {
            let text = format.write(&source);
            assert!(text.len() > 300 && text.ends_with(['\n', '>']), "{} as {}", p.id, format.word());
        }
        let puml = Format::PlantUml.write(&source);
        assert!(puml.contains("->("), "{} has no slant", p.id);
        assert!(!puml.contains("x("), "{}: a cross that falls is an error to PlantUML", p.id);
        let mermaid = Format::Mermaid.write(&source);
        assert!(mermaid.contains(" → "), "{} has no times", p.id);
    }
}
