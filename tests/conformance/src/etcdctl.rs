//! A real client of etcd's line: `etcdctl lock`, which is the package `concurrency` behind a command line.
//!
//! It runs a command while it holds the lock, and gives the lock back when the command ends. The command here says that it runs, and ends when
//! the test wants it to. What comes of it is the order in which clients believe that they hold the lock; the engine tells the same order of the
//! same story.

use crate::etcd::Etcd;
use crate::server::{self, wait_for};
use fencepost::base::Fact;
use fencepost::run::run;
use fencepost::scenario;
use fencepost::trace::EventKind;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Clients of one lock.
const CLIENTS: usize = 4;
/// Longer than a busy machine sleeps, and short enough to wait for its end.
const TTL_S: u32 = 5;
const PATIENCE: Duration = Duration::from_secs(120);

/// What happens to one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Nothing: it gives the lock back when it has held it for a while.
    Well,
    Killed,
    /// Stopped for longer than its session lasts.
    Stopped,
}

/// The first has the lock, the second waits right behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Story {
    pub owner: Fate,
    pub waiter: Fate,
}

impl Story {
    pub fn all() -> Vec<Story> {
        let fates = [Fate::Well, Fate::Killed, Fate::Stopped];
        fates.iter().flat_map(|owner| fates.map(|waiter| Story { owner: *owner, waiter })).collect()
    }
}

/// From its answer to `version`.
pub fn version() -> String {
    let wrote = Command::new(program()).arg("version").output().expect("etcdctl");
    let wrote = String::from_utf8_lossy(&wrote.stdout).into_owned();
    wrote.lines().next().and_then(|it| it.split_whitespace().last()).expect("a version").to_owned()
}

fn program() -> PathBuf {
    server::program("FENCEPOST_ETCDCTL", "etcdctl")
}

/// Who believes, in this order, as the engine has it. `looks_again`: whether a waiter looks at its own entry before it believes.
pub fn predict(story: Story, looks_again: bool) -> Vec<usize> {
    let mut text = format!(
        "schema = \"fencepost.scenario/1\"\nhorizon = \"100s\"\n\
         lock = {{ service = \"etcd\", ttl = \"{TTL_S}s\", recheck = {looks_again} }}\n\
         client = {{ check_deadline = false, attempts = 1 }}\n"
    );
    for client in 0..CLIENTS {
        // Each is done when those before it are.
        let done_s = 30 + 20 * client;
        let _ = writeln!(
            text,
            "[[worker]]\nname = \"C{client}\"\nstart = \"{client}s\"\nsteps = [\"acquire\", \"wait until {done_s}s\", \"release\"]"
        );
    }
    for (client, fate, from_s, until_s) in [(1, story.waiter, 10, 45), (0, story.owner, 29, 45)] {
        let _ = match fate {
            Fate::Well => Ok(()),
            Fate::Killed => writeln!(text, "[[fault]]\ncrash = \"C{client}\"\nat = \"{from_s}s\""),
            Fate::Stopped => {
                writeln!(text, "[[fault]]\npause = \"C{client}\"\nat = \"{from_s}s\"\nuntil = \"{until_s}s\"")
            }
        };
    }
    let parsed = scenario::parse(&text);
    let scenario = parsed.scenario.unwrap_or_else(|| panic!("{:#?}\n{text}", parsed.diagnostics));
    let run = run(&scenario, 0);
    let believed = run.log.events().iter().filter(|it| matches!(it.kind, EventKind::Did(Fact::Believed { .. })));
    believed.map(|it| run.roster.name(it.node)[1..].parse().expect("a number")).collect()
}

/// One `etcdctl lock`.
struct Contender {
    child: Child,
    wrote: PathBuf,
    done: PathBuf,
}

impl Contender {
    fn start(port: u16, lock: &str, folder: &Path, number: usize) -> Contender {
        let wrote = folder.join(format!("{lock}-{number}-wrote"));
        let done = folder.join(format!("{lock}-{number}-done"));
        let output = File::create(&wrote).expect("a file in a folder of ours");
        // It outlives a client that is killed, and ends when the test's folder is gone.
        let (folder, file) = (folder.display(), done.display());
        let command = format!("echo held; while test -d '{folder}' && ! test -e '{file}'; do sleep 0.05; done");
        let child = Command::new(program())
            .arg(format!("--endpoints=127.0.0.1:{port}"))
            // For a busy machine.
            .args(["--dial-timeout=60s", "--command-timeout=60s"])
            .args(["lock", lock, "--ttl", &TTL_S.to_string(), "--", "sh", "-c", &command])
            .env("ETCDCTL_API", "3")
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("a second handle"))
            .stderr(output)
            .spawn()
            .expect("etcdctl");
        Contender { child, wrote, done }
    }

    fn believes(&self) -> bool {
        fs::read_to_string(&self.wrote).is_ok_and(|it| it.contains("held"))
    }

    fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child of ours").is_some()
    }

    /// Its command ends.
    fn is_done(&self) {
        File::create(&self.done).expect("a file in a folder of ours");
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("sh").arg("-c").arg(format!("kill -{name} {}", self.child.id())).status();
        assert!(sent.is_ok_and(|it| it.success()), "etcdctl cannot be signalled");
    }
}

impl Drop for Contender {
    fn drop(&mut self) {
        // Its command is a process of its own, and ends by itself.
        self.is_done();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Carries out a story. The answer is who believes, in this order.
pub fn carry_out(etcd: &Etcd, folder: &Path, lock: &str, story: Story) -> Vec<usize> {
    let mut all: Vec<Contender> = Vec::new();
    let mut order = Vec::new();
    for number in 0..CLIENTS {
        all.push(Contender::start(etcd.port(), lock, folder, number));
        wait_for("a place in line", PATIENCE, || {
            let newest = &mut all[number];
            assert!(!newest.has_ended(), "etcdctl: {}", fs::read_to_string(&newest.wrote).unwrap_or_default());
            etcd.in_line(lock) == number + 1
        });
    }
    let mut in_line = CLIENTS;
    next(&all, &mut order);
    for (number, fate) in [(1, story.waiter), (0, story.owner)] {
        match fate {
            Fate::Well if number == 0 => all[0].is_done(),
            Fate::Well => continue,
            Fate::Killed => all[number].signal("KILL"),
            Fate::Stopped => all[number].signal("STOP"),
        }
        in_line -= 1;
        wait_for("an entry to go", PATIENCE, || etcd.in_line(lock) == in_line);
    }
    next(&all, &mut order);
    // Who was stopped goes on, and makes of it what it makes.
    if story.waiter == Fate::Stopped {
        all[1].signal("CONT");
        let waiter = &mut all[1];
        wait_for("a client that was stopped", PATIENCE, || waiter.believes() || waiter.has_ended());
        if waiter.believes() {
            order.push(1);
        }
    }
    if story.owner == Fate::Stopped {
        all[0].signal("CONT");
    }
    // The others, one after another.
    while etcd.in_line(lock) > 0 {
        let owner = *order.iter().rfind(|it| **it > 1 || story.waiter == Fate::Well).expect("somebody has it");
        all[owner].is_done();
        in_line -= 1;
        wait_for("an entry to go", PATIENCE, || etcd.in_line(lock) == in_line);
        if in_line > 0 {
            next(&all, &mut order);
        }
    }
    order
}

/// Waits until one more believes.
fn next(all: &[Contender], order: &mut Vec<usize>) {
    let known = order.clone();
    wait_for("the next to believe", PATIENCE, || {
        let new = (0..all.len()).find(|it| !known.contains(it) && all[*it].believes());
        order.extend(new);
        new.is_some()
    });
}
