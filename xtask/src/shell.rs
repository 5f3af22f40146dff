//! Running commands, so that a person sees what runs and what it says while it runs.

use crate::Result;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The root of the checkout. Asked at run time, since a checkout may have moved after xtask was compiled.
pub fn root() -> PathBuf {
    let here =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map(Path::to_owned).unwrap_or(here)
}

/// A cargo command, to be run in the root of the checkout.
pub fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Any other command, to be run in the root of the checkout.
pub fn command(program: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program.as_ref());
    command.args(arguments).current_dir(root());
    command
}

/// Runs with this terminal as its own.
pub fn run(command: &mut Command) -> Result {
    say(&format!("$ {}", shown(command)));
    let status = command.status().map_err(|error| format!("cannot run `{}`: {error}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", shown(command))) }
}

/// Runs silently and returns what it wrote to stdout.
pub fn capture(command: &mut Command) -> Result<String> {
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("cannot run `{}`: {error}", shown(command)))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let said = String::from_utf8_lossy(&output.stderr);
        Err(format!("`{}` failed: {}\n{}", shown(command), output.status, said.trim()))
    }
}

/// What a command wrote: its stdout alone, where test runners count, and both streams as they came.
pub struct Transcript {
    pub stdout: String,
    pub both: String,
    pub success: bool,
}

/// Runs, passes both streams on line by line as they come, and keeps a copy.
pub fn tee(command: &mut Command) -> Result<Transcript> {
    say(&format!("$ {}", shown(command)));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run `{}`: {error}", shown(command)))?;
    let both = Arc::new(Mutex::new(String::new()));
    let out = child.stdout.take().map(|pipe| {
        let both = Arc::clone(&both);
        thread::spawn(move || pass_on(pipe, &mut std::io::stdout(), &both))
    });
    let err = child.stderr.take().map(|pipe| {
        let both = Arc::clone(&both);
        thread::spawn(move || pass_on(pipe, &mut std::io::stderr(), &both))
    });
    let stdout = out.map_or_else(String::new, |reader| reader.join().unwrap_or_default());
    if let Some(reader) = err {
        // The copy is in `both`; a reader that panicked has shown why.
        let _ = reader.join();
    }
    let status = child.wait().map_err(|error| format!("lost `{}`: {error}", shown(command)))?;
    let both = both.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(Transcript { stdout, both, success: status.success() })
}

fn pass_on(pipe: impl Read, to: &mut impl Write, both: &Mutex<String>) -> String {
    let mut reader = BufReader::new(pipe);
    let mut copy = String::new();
    let mut line = Vec::new();
    while let Ok(1..) = reader.read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line);
        // A closed terminal is no reason to stop the command.
        let _ = to.write_all(text.as_bytes());
        let _ = to.flush();
        copy.push_str(&text);
        both.lock().unwrap_or_else(PoisonError::into_inner).push_str(&text);
        line.clear();
    }
    copy
}

/// One line to stdout, at once.
pub fn say(line: &str) {
    println!("{line}");
    let _ = std::io::stdout().flush();
}

/// The command as a person would type it.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(command.get_program());
    let mut line = name.to_string_lossy().into_owned();
    for argument in command.get_args() {
        let argument = argument.to_string_lossy();
        line.push(' ');
        if argument.is_empty() || argument.contains([' ', '"', '\'', '*']) {
            line.push_str(&format!("'{argument}'"));
        } else {
            line.push_str(&argument);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_one_would_type_it() {
        let command = command("/opt/tools/trunk", &["build", "--name", "two words"]);
        assert_eq!(shown(&command), "trunk build --name 'two words'");
    }

    #[test]
    fn tee_keeps_both_streams_and_the_verdict() {
        // rustc is on every machine that runs this.
        let transcript = tee(&mut command("rustc", &["--no-such-flag"])).expect("it runs");
        assert!(!transcript.success);
        assert!(transcript.stdout.is_empty());
        assert!(transcript.both.contains("no-such-flag"));
    }
}
