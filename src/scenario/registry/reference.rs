//! The reference of the language, written from the table: `docs/scenario-format.md`, which the help in the page shows as well.
//!
//! The prose stands here, the rows come from the registry, and a test holds the file to this function, so that neither can go out of date. Every
//! block of TOML in it is a complete scenario and is read by a test.

use super::claims::{ENDS, MEASURES, PROPERTIES};
use super::faults::{KINDS, NO_REPLY, VERBS};
use super::meaning::meaning;
use super::steps::{NOT_BUILT, STEPS};
use super::{Row, Section, Type, Uses, words_of};
use crate::base::PointKind;
use crate::scenario::profile::{PROTECTIONS, Values, pairs};
use std::fmt::Write as _;

/// The text of `docs/scenario-format.md`.
pub fn reference() -> String {
    let mut out = String::from(INTRODUCTION);
    section(&mut out, Section::Header, "Header");
    section(&mut out, Section::Network, "`[network]`");
    section(&mut out, Section::Link, "`[[link]]`");
    section(&mut out, Section::Clock, "`[clock.<name>]`");
    out.push_str(CLOCKS);
    section(&mut out, Section::Lock, "`[lock]`");
    services(&mut out);
    section(&mut out, Section::Client, "`[client]`");
    section(&mut out, Section::Resource, "`[resource]`");
    section(&mut out, Section::Worker, "`[[worker]]`");
    steps(&mut out);
    section(&mut out, Section::Fault, "`[[fault]]`");
    faults(&mut out);
    section(&mut out, Section::Design, "`[[design]]`");
    protections(&mut out);
    section(&mut out, Section::Expect, "`[expect]`");
    claims(&mut out);
    section(&mut out, Section::Sweep, "`[sweep]`");
    section(&mut out, Section::Explore, "`[explore]`");
    section(&mut out, Section::Lesson, "`[lesson]`");
    out.push_str(JSON);
    out
}

const INTRODUCTION: &str = r#"# The scenario format, version 1

A scenario tells a story about a lock, and how several designs cope with it. It is written as TOML; the same tree as JSON is accepted
too. A file with only its first line is complete: one worker takes the lock, reads, works for a second, writes, and gives the lock back.

```toml
schema = "fencepost.scenario/1"
```

This file is written from the table that the program reads; a key that is not in it does not exist. Where it says *not yet*, the key or
word is part of the language and this version cannot run it.

## Story and design

The *story* is what happens to anybody: workers and their steps, the network, clocks, faults. A *design* is one answer to it: keys of
`lock`, `client`, `resource` and `expect`, and nothing else. `[lock]`, `[client]`, `[resource]` and `[expect]` in the file are the
story's defaults, and each `[[design]]` overrides them. Without designs the file runs once, as written.

```toml
schema = "fencepost.scenario/1"
title  = "GC pause"
claim  = "A paused holder writes after its lease has ended, whatever the lock service."

[[worker]]
name  = "W1"
client.check_deadline = false

[[worker]]
name  = "W2"
start = "2s"
client.check_deadline = false

[[fault]]
pause = "W1"
at    = "500ms"
until = "15s"

[[design]]
protection = "safe-release"
expect.violates = ["stale-write", "non-owner-write", "lost-update"]

[[design]]
protection = "fencing"
expect.violates = []
```

## Where a value comes from

General yields to particular, key by key; a list replaces a list.

1. the built-in default,
2. the profile of the service in force,
3. `[lock]`, `[client]`, `[resource]`,
4. the design's `protection`,
5. the design's own keys,
6. what is written on one named thing: a worker's `client`, `[[lock.also]]`, `[[resource.also]]`.

The last is a fact of the story ("this program does not check its deadline") and holds under every design.

```toml
schema = "fencepost.scenario/1"
lock.ttl = "5s"                                   # the story's
worker = [
  { name = "W1", client.check_deadline = false }, # a fact of W1, whatever a design says
  { name = "W2", start = "1s" },
]
design = [
  { name = "Short lease" },                       # 5 s
  { name = "Long lease", lock.ttl = "30s" },      # the design's own
]
```

A key that the service of a design does not use is a mistake inside that design, and fine elsewhere.

## Times and draws

A time is a text with one unit out of `us`, `ms`, `s`, `min`, `h`, `d`; decimals are allowed: `"250ms"`, `"1.5s"`. A bare number is an
error, because nobody remembers which unit was meant. Where there is no limit the value is a word (`"never"`, `"forever"`, `"none"`), not
0 or -1. Yes and no are `true` and `false`.

Where the reference says *time or draw*, the length may differ each time, answered by the seed:

| draw | means |
| --- | --- |
| `"0ms..200ms"` | uniform between both |
| `"exp 2s"` | exponential, by mean |
| `"lognormal 50ms 2s"` | log-normal, by median and 99th percentile |
| `"pareto 1ms 2s"` | Pareto, by the least and 99th percentile: rare and very long |
| `"5ms\|7ms\|120ms"` | one of these, each as likely: what was measured; eight at most |

```toml
schema = "fencepost.scenario/1"
seed = 7
network.one_way = "lognormal 5ms 80ms"
client.retry = "100ms..300ms"
worker = { count = 3, start = "0s..50ms" }
```

## Moments

A moment is an instant, `"15s"` of true time from the start, or a point of somebody's program, which holds whatever a design does to the
timing: `"after W1 check"`, `"5ms after W1 grant 2"`, `"before W1 write"`. The number counts this kind of point at this worker, over
rounds and loops; without one it is the first. A time before a point would need foresight and does not exist.

```toml
schema = "fencepost.scenario/1"
worker = [
  { name = "W1", steps = ["acquire", "read", "work 1s", "check", "write", "release"] },
  { name = "W2", start = "after W1 grant" },
]
fault = { pause = "W1", at = "after W1 check", for = "12s" }
```

## Names

A name is a letter, then letters, digits, `-` or `_`. Workers, servers, resources and designs have names, faults may have one. Wherever a
name is expected, a group may stand: `workers`, `resources`, `lock` (all servers of the service), `lock-node` (one of them: the single
server, the primary, the middle one of a quorum). A name that exists under one design only strikes nobody under the others. `W1.main` and
`W1.renewer` are the threads of a worker; workers with one `process` are threads of that process, and share its pauses and crashes.

```toml
schema = "fencepost.scenario/1"
worker = [{ name = "A", process = "Pod" }, { name = "B", process = "Pod", start = "1s" }]
fault = [
  { pause = "Pod", at = "500ms", for = "1s" },
  { cut = "workers", to = "lock", at = "3s", for = "2s" },
  { crash = "lock-node", at = "8s", for = "100ms" },
]
```

One value may stand for a list of one (`guard = "fence"`), and tables may be inline or under headings.
"#;

const CLOCKS: &str = r#"
What is said of one clock beats what is said of its group, key by key, whatever the order in the file.

```toml
schema = "fencepost.scenario/1"
clock.workers.rate = 0.999
clock.W1 = { rate = 1.01, offset = "-250ms" }
```
"#;

const JSON: &str = r#"
## JSON, links and limits

JSON is the same tree: a table is an object, a list an array. The canonical form, which a link carries, is JSON without white space, with
keys in code-point order, lists of one as their value, times in the largest unit that leaves a whole number, numbers shortest, and
without what equals the value that it would have anyway; except a design's keys, names, and what a named worker, lock or resource says of
`client`, `lock` or `resource`, where being written has a meaning.

A text has at most 64 KiB, a scenario at most 64 workers (after `count`), 1,000 steps, 200 faults and 12 designs.
"#;

// ------------------------------------------------------------------ tables

fn section(out: &mut String, section: Section, title: &str) {
    let _ = write!(out, "\n## {title}\n\nWhere: {}.\n\n", section.places());
    out.push_str("| key | takes | default | meaning | example |\n| --- | --- | --- | --- | --- |\n");
    for r in section.rows() {
        row(out, r);
    }
    let restricted: Vec<&Row> = section.rows().filter(|r| !matches!(r.uses, Uses::All)).collect();
    let locked = restricted.iter().filter(|r| r.uses == Uses::Locks).count();
    if locked > 0 {
        let free: Vec<String> =
            section.rows().filter(|r| r.uses == Uses::All).map(|r| format!("`{}`", r.key)).collect();
        let _ = write!(
            out,
            "\nUsed where there is a lock service; without one (`none`) only {} mean something.",
            free.join(", ")
        );
        out.push_str(" Used by some services only:\n\n");
        for r in restricted.iter().filter(|r| r.uses != Uses::Locks) {
            let _ = writeln!(out, "- `{}`: {}", r.key, r.uses.words());
        }
    }
}

fn row(out: &mut String, r: &Row) {
    let mut takes = r.ty.word().to_string();
    if !r.words.is_empty() {
        let words: Vec<String> = r
            .words
            .iter()
            .map(|w| if w.built { code(w.text) } else { format!("{} (not yet)", code(w.text)) })
            .collect();
        let words = words.join(", ");
        takes = if matches!(r.ty, Type::Word | Type::Words) {
            format!("{takes}: {words}")
        } else {
            format!("{takes}, or {words}")
        };
    }
    // The words of these have a table of their own below.
    if r.key == "service" || r.key == "protection" {
        takes = r.ty.word().to_string();
    }
    let default = if r.default.is_empty() { "–".to_string() } else { code(r.default) };
    let meaning = if r.built { r.says().to_string() } else { format!("{} *Not yet.*", r.says()) };
    let _ = writeln!(
        out,
        "| {} | {takes} | {default} | {} | {} |",
        code(r.key),
        cell(&meaning),
        code(&r.example().replace('\n', " ⏎ "))
    );
}

fn code(s: &str) -> String {
    format!("`{}`", cell(s))
}

fn cell(s: &str) -> String {
    s.replace('|', "\\|")
}

fn services(out: &mut String) {
    out.push_str(
        "\n### Services\n\nSeven words stand for a family each: `redis`, `redlock`, `consensus`, `session-queue`, `observed-record`, `local`, \
         `none`. The others are products: a family with other values. [The lock services](protocols/README.md) lists all of them, with what \
         each sets.\n",
    );
}

fn protections(out: &mut String) {
    out.push_str("\n### Protections\n\nA protection sets only what the service in force has.\n\n");
    out.push_str("| protection | code | name | meaning | sets |\n| --- | --- | --- | --- | --- |\n");
    for p in PROTECTIONS {
        let _ = writeln!(out, "| {} | {} | {} | {} | {} |", code(p.word), p.code(), p.label, p.says(), written(p.sets));
    }
}

/// What a profile or a protection sets, as a file would set it.
fn written(values: Values) -> String {
    let all: Vec<String> = pairs(values).iter().map(|(path, value)| format!("`{path} = {value}`")).collect();
    all.join(", ")
}

fn steps(out: &mut String) {
    out.push_str(
        "\n### Steps\n\nA step is a text, `verb [target] [time] [key=value …]`, or a block that repeats: `{ loop = 3, steps = […] }`, with \
         `loop = \"forever\"` and `every = \"1s\"` if wanted.\n\n\
         ```toml\nschema = \"fencepost.scenario/1\"\nworker = { steps = [\"acquire patience=10s\", { loop = 3, steps = [\"read\", \"work 1s\", \
         \"write key=slot-{round}\"] }, \"release\"] }\n```\n\n",
    );
    out.push_str("| verb | takes | meaning | example |\n| --- | --- | --- | --- |\n");
    for s in STEPS {
        let not_yet = if s.built { "" } else { " *Not yet.*" };
        let takes: Vec<String> = words_of(s.takes)
            .into_iter()
            .map(|a| if NOT_BUILT.contains(&a) { format!("{a} (not yet)") } else { a.to_string() })
            .collect();
        let takes = if takes.is_empty() { "nothing".to_string() } else { takes.join(", ") };
        let _ = writeln!(out, "| `{}` | {takes} | {}{not_yet} | {} |", s.verb, s.says(), code(s.example()));
    }
    let seams: Vec<String> = PointKind::SEAMS.iter().map(|p| format!("`{}`", p.word())).collect();
    let _ = write!(
        out,
        "\n### Points\n\nFor moments and for expected instants: every verb (`before` it begins, `after` it ended), and {}. A point that a \
         design never reaches strikes nothing there, and the column says so.\n",
        seams.join(", ")
    );
}

fn faults(out: &mut String) {
    out.push_str("\n### Verbs of faults\n\nA fault has exactly one of these, and beside it `at`, `until` or `for`, `every`, `name`, and its own keys.\n\n");
    out.push_str("| verb | strikes | own keys | meaning | example |\n| --- | --- | --- | --- | --- |\n");
    for v in VERBS {
        use super::faults::Victim::*;
        let victim = match v.victim {
            Targets => "processes, threads, servers, resources",
            Names => "names",
            Groups => "groups of names",
            Kinds => "message kinds",
            LockNodes => "servers of the lock",
            Workers => "workers",
        };
        let keys: Vec<String> = words_of(v.keys)
            .into_iter()
            .map(|k| if v.needs == k { format!("`{k}` (needed)") } else { format!("`{k}`") })
            .collect();
        let keys = if keys.is_empty() { "–".to_string() } else { keys.join(", ") };
        let not_yet = if v.built { "" } else { " *Not yet.*" };
        let _ = writeln!(out, "| `{}` | {victim} | {keys} | {}{not_yet} | {} |", v.word, v.says(), code(v.example()));
    }
    let kinds: Vec<String> =
        KINDS.iter().map(|k| if k.built { code(k.text) } else { format!("{} (not yet)", code(k.text)) }).collect();
    let without: Vec<String> = NO_REPLY.iter().map(|k| code(k)).collect();
    let _ = write!(
        out,
        "\nMessage kinds: {}. Each also with `-reply`, but for {}.\n",
        kinds.join(", "),
        without.join(", ")
    );
}

fn claims(out: &mut String) {
    out.push_str(
        "\n```toml\nschema = \"fencepost.scenario/1\"\nworker = [{}, { start = \"1s\" }]\nexpect.violates = []\nexpect.instants = [\"W1 grant at 5ms\", \
         \"W2 apply 2 never\"]\nexpect.measures = [\"wait W2 < 10.1s\", \"last-writer = W2\"]\nexpect.ends = { W1 = \"done\" }\n```\n",
    );
    out.push_str("\n### Properties\n\n| property | judged | what went wrong |\n| --- | --- | --- |\n");
    for p in PROPERTIES {
        let not_yet = if p.word.built { "" } else { " *Not yet.*" };
        let _ = writeln!(
            out,
            "| `{}` | {} | {}{not_yet} |",
            p.word.text,
            if p.judged { "yes" } else { "a note" },
            p.says()
        );
    }
    out.push_str("\n### Measures\n\n| measure | of | meaning |\n| --- | --- | --- |\n");
    for m in MEASURES {
        let of = if m.of_worker { "the run, or one worker" } else { "the run" };
        let _ = writeln!(out, "| `{}` | {of} | {} |", m.word, m.says());
    }
    out.push_str("\n### Ends\n\n| end | meaning |\n| --- | --- |\n");
    for word in ENDS {
        let _ = writeln!(out, "| `{word}` | {} |", meaning("ends", word).0);
    }
}
