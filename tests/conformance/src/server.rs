//! A real server on this machine, for as long as its value lives: in a folder of its own, on free ports, and ended by its process id.
//!
//! Nothing here knows which server it is. A test that is itself killed leaves its server behind; every other end, a failed assertion
//! included, takes it along.

use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long a server may take until it answers. A Java virtual machine on a busy computer needs many seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often a start is tried: between the choice of a port and its use another process may take it.
const TRIES: usize = 3;

/// How to start a server.
pub struct Recipe {
    /// Name for people, and part of the folder's name.
    pub name: &'static str,
    pub program: PathBuf,
    /// How many ports it listens on.
    pub ports: usize,
    /// The command line, for a folder and for ports of the server's own. It may write a configuration into the folder.
    pub arguments: fn(&Path, &[u16]) -> Vec<String>,
    /// Whether the server answers requests now, and is the process of this id as far as it can tell.
    pub answers: fn(&[u16], u32) -> bool,
}

pub struct Server {
    recipe: Recipe,
    extra: Vec<String>,
    folder: PathBuf,
    ports: Vec<u16>,
    child: Option<Child>,
}

impl Server {
    /// Starts it, with further arguments after those of the recipe, and waits until it answers.
    pub fn start(recipe: Recipe, extra: &[&str]) -> Server {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("fencepost-{}-{}-{number}", recipe.name, std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the server");
        let extra = extra.iter().map(|it| (*it).to_owned()).collect();
        let mut server = Server { recipe, extra, folder, ports: Vec::new(), child: None };
        let mut problem = String::new();
        for _ in 0..TRIES {
            server.ports = free_ports(server.recipe.ports);
            match server.try_start() {
                Ok(()) => return server,
                Err(error) => problem = error,
            }
        }
        panic!("{problem}");
    }

    /// The n-th of its ports.
    pub fn port(&self, n: usize) -> u16 {
        self.ports[n]
    }

    /// Where it keeps its files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Ends the process at once, without a chance to write anything (`SIGKILL`).
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Stops the process where it stands (`SIGSTOP`): what arrives waits in its sockets.
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Lets it go on (`SIGCONT`).
    pub fn resume(&self) {
        self.signal("CONT");
    }

    pub fn is_running(&self) -> bool {
        self.child.is_some()
    }

    fn signal(&self, name: &str) {
        let Some(child) = &self.child else { panic!("{} is not there to be signalled", self.recipe.name) };
        // The shell's own word, since a signal needs a system call that safe Rust does not have.
        let sent = Command::new("sh").arg("-c").arg(format!("kill -{name} {}", child.id())).status();
        assert!(sent.is_ok_and(|it| it.success()), "{} cannot be signalled", self.recipe.name);
    }

    /// Starts it again in the same folder and on the same ports, and waits until it answers.
    pub fn restart(&mut self) {
        self.kill();
        self.try_start().unwrap_or_else(|problem| panic!("{problem}"));
    }

    fn try_start(&mut self) -> Result<(), String> {
        let Recipe { name, program, arguments, answers, .. } = &self.recipe;
        let log = self.folder.join("output.txt");
        let output = File::options().create(true).append(true).open(&log).expect("a file for what the server writes");
        let child = Command::new(program)
            .args(arguments(&self.folder, &self.ports))
            .args(&self.extra)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("a second handle"))
            .stderr(output)
            .spawn()
            .map_err(|error| format!("cannot start {name}, `{}`: {error}", program.display()))?;
        let child = self.child.insert(child);
        let start = Instant::now();
        loop {
            let ended = child.try_wait().expect("a child of ours");
            // Alive first: a server that found a stranger on its port has ended.
            if ended.is_none() && answers(&self.ports, child.id()) {
                return Ok(());
            }
            if ended.is_some() || start.elapsed() > PATIENCE {
                let wrote = fs::read_to_string(&log).unwrap_or_default();
                let lines: Vec<&str> = wrote.lines().collect();
                let last = lines[lines.len().saturating_sub(20)..].join("\n");
                let problem = format!("{name} does not answer; the last lines that it wrote:\n{last}");
                self.kill();
                return Err(problem);
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Ports of this machine's own that nobody listens on at this moment, all different.
fn free_ports(number: usize) -> Vec<u16> {
    let listeners: Vec<TcpListener> =
        (0..number).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port")).collect();
    listeners.iter().map(|it| it.local_addr().expect("a bound address").port()).collect()
}

/// Waits until it is so; nothing that is waited for here depends on how long that takes.
///
/// # Panics
/// If it is not so for longer than anything may take.
pub fn wait_for(what: &str, patience: Duration, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < patience, "waited {patience:?} for {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// The program that an environment variable names, or else this one in `PATH`.
pub fn program(variable: &str, name: &str) -> PathBuf {
    std::env::var_os(variable).filter(|it| !it.is_empty()).map_or_else(|| name.into(), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{self, AssertUnwindSafe};

    fn shell(script: fn(&Path, &[u16]) -> Vec<String>) -> Recipe {
        Recipe { name: "shell", program: "sh".into(), ports: 1, arguments: script, answers: |_, _| true }
    }

    #[test]
    fn a_server_is_gone_when_its_test_is_over_also_by_a_failure() {
        let mut seen = None;
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
            let server = Server::start(shell(|_, _| ["-c", "exec sleep 60"].map(str::to_owned).to_vec()), &[]);
            let process = server.child.as_ref().map(Child::id).expect("it runs");
            seen = Some((process, server.folder().to_owned()));
            panic!("a test fails");
        }));
        assert!(outcome.is_err());
        let (process, folder) = seen.expect("it was started");
        let signal = Command::new("sh").arg("-c").arg(format!("kill -0 {process}")).stderr(Stdio::null()).status();
        assert!(!signal.expect("a shell").success(), "process {process} is still there");
        assert!(!folder.exists(), "{} is still there", folder.display());
    }

    #[test]
    fn a_server_that_ends_at_once_is_reported_with_its_last_words() {
        let mut ended = shell(|_, _| ["-c", "echo no such option; exit 1"].map(str::to_owned).to_vec());
        ended.answers = |_, _| false;
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| Server::start(ended, &[]).port(0)));
        let problem = outcome.expect_err("it has ended");
        let problem = problem.downcast_ref::<String>().expect("a text");
        assert!(problem.contains("no such option"), "{problem}");
    }

    #[test]
    fn ports_are_all_different() {
        let mut ports = free_ports(20);
        ports.sort_unstable();
        ports.dedup();
        assert_eq!(ports.len(), 20);
    }
}
