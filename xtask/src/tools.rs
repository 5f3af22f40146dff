//! What the page is built and tested with: installed on first use, each version in a folder of its own outside the checkout.
//!
//! Absent: a tool that downloads another tool. Trunk would fetch wasm-bindgen and wasm-opt itself; it finds them in `PATH`
//! instead, in exactly the versions it asks for, so that a build needs the package registries and nothing else.

use crate::shell::{capture, cargo, command, root, run, say};
use crate::{Result, shell};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The last release that builds with the Rust version in Cargo.toml.
const TRUNK: &str = "0.21.14";
/// Trunk.toml names the same version, and Trunk checks it.
const BINARYEN: &str = "132.0.0";
const TERSER: &str = "5.51.4";
/// A client of Redlock, and what it speaks to Redis with. Of the client the version of its source that the model was read from; the
/// registry calls an older one the latest.
const NODE_REDLOCK: &str = "5.0.0-beta.2";
const IOREDIS: &str = "5.8.2";

/// Overrides the folder in which the tools are kept.
const CACHE_VARIABLE: &str = "FENCEPOST_CACHE";

/// Where programs were found or put; put first in the `PATH` of the commands that need them.
pub struct Tools {
    folders: Vec<PathBuf>,
}

/// Rust's compiler for the browser, and the runner of its tests under Node.js.
pub fn for_wasm_tests() -> Result<Tools> {
    require_node()?;
    add_wasm_target()?;
    Ok(Tools { folders: vec![install_wasm_bindgen()?] })
}

/// Everything Trunk calls, and Trunk.
pub fn for_page() -> Result<Tools> {
    require_node()?;
    add_wasm_target()?;
    Ok(Tools { folders: vec![install_trunk()?, install_wasm_bindgen()?, install_wasm_opt()?, install_terser()?] })
}

impl Tools {
    /// A command with the tools first in its `PATH`.
    pub fn command(&self, program: &str, arguments: &[&str]) -> Command {
        self.equip(command(self.find(program), arguments))
    }

    /// Cargo with the tools first in its `PATH`, and wasm tests run under Node.js.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.equip(cargo(arguments));
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", self.find("wasm-bindgen-test-runner"));
        command
    }

    fn equip(&self, mut command: Command) -> Command {
        let inherited = env::var_os("PATH").unwrap_or_default();
        let folders = self.folders.iter().cloned();
        match env::join_paths(folders.chain(env::split_paths(&inherited))) {
            Ok(path) => command.env("PATH", path),
            Err(_) => &mut command, // a folder with a separator in its name: what is installed by hand is used
        };
        // Trunk reads it as one of its own switches, and refuses the usual value `1`.
        command.env_remove("NO_COLOR");
        command
    }

    fn find(&self, program: &str) -> PathBuf {
        self.folders
            .iter()
            .map(|folder| folder.join(executable(program)))
            .find(|path| path.is_file())
            .unwrap_or_else(|| PathBuf::from(program))
    }
}

/// Adds the compilation target for the browser, if this toolchain lacks it.
pub fn add_wasm_target() -> Result {
    const TARGET: &str = "wasm32-unknown-unknown";
    let sysroot = capture(&mut command("rustc", &["--print", "sysroot"]))?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET);
    if library.is_dir() {
        return Ok(());
    }
    say(&format!("Adding Rust's compilation target {TARGET}"));
    run(&mut command("rustup", &["target", "add", TARGET])).map_err(|error| {
        format!("{error}\nThe page is compiled for {TARGET}: install rustup, or that target by other means.")
    })
}

/// Finds a Redis server; on Debian and its kin, and as root, installs it if it is missing.
pub fn redis_server() -> Result<PathBuf> {
    const BY_HAND: &str = "\
the model of Redis is held against a real one: install it (Debian: `apt-get install redis-server`; 7 or newer), or name it in \
FENCEPOST_REDIS";
    let find = || find_program("FENCEPOST_REDIS", &["redis-server"]);
    if let Some(program) = find() {
        return Ok(program);
    }
    install_packages(&["redis-server"], "for the conformance tests, which start servers of their own", BY_HAND)?;
    find().ok_or_else(|| "redis-server was installed, but is not in PATH".into())
}

/// Where Node.js finds the packages of the Redlock client.
pub fn node_redlock() -> Result<PathBuf> {
    require_node()?;
    let packages = [format!("redlock@{NODE_REDLOCK}"), format!("ioredis@{IOREDIS}")];
    install_packages_of_npm(&format!("redlock-{NODE_REDLOCK}-ioredis-{IOREDIS}"), &packages)
}

/// etcd, and its command line.
pub struct Etcd {
    pub server: PathBuf,
    pub client: PathBuf,
}

/// Finds etcd; installs it as [`redis_server`] does.
pub fn etcd() -> Result<Etcd> {
    const BY_HAND: &str = "\
the model of a line of sessions is held against a real etcd: install it (Debian: `apt-get install etcd-server etcd-client`; 3.4 or \
newer), or name its programs in FENCEPOST_ETCD and FENCEPOST_ETCDCTL";
    let find = || {
        let server = find_program("FENCEPOST_ETCD", &["etcd"])?;
        Some(Etcd { server, client: find_program("FENCEPOST_ETCDCTL", &["etcdctl"])? })
    };
    if let Some(etcd) = find() {
        return Ok(etcd);
    }
    let packages = ["etcd-server", "etcd-client"];
    install_packages(&packages, "for the conformance tests, which start servers of their own", BY_HAND)?;
    find().ok_or_else(|| "etcd was installed, but etcd or etcdctl is not in PATH".into())
}

/// Finds ZooKeeper's classes and Java; installs them as [`redis_server`] does. The answer is Java.
pub fn zookeeper() -> Result<PathBuf> {
    const BY_HAND: &str = "\
the model of a line of sessions is held against a real ZooKeeper: install it as Debian does (`apt-get install zookeeper`), with Java";
    // Where Debian puts them; the tests look there.
    let classes = Path::new("/usr/share/java/zookeeper.jar");
    let find = || find_program("FENCEPOST_JAVA", &["java"]).filter(|_| classes.is_file());
    if let Some(program) = find() {
        return Ok(program);
    }
    let packages = ["zookeeper", "default-jre-headless"];
    install_packages(&packages, "for the conformance tests, which start servers of their own", BY_HAND)?;
    find().ok_or_else(|| "zookeeper was installed, but java or its classes are not found".into())
}

/// Debian's packages, through `apt-get`. `by_hand` says what a person can do where this cannot be done.
pub fn install_packages(packages: &[&str], purpose: &str, by_hand: &str) -> Result {
    let is_root = capture(&mut command("id", &["-u"])).is_ok_and(|id| id.trim() == "0");
    if !is_root || find_in_path("apt-get").is_none() {
        return Err(by_hand.into());
    }
    say(&format!("Installing Debian's packages {}, {purpose}", packages.join(", ")));
    let apt = |arguments: &[&str]| {
        let mut command = command("apt-get", arguments);
        // The run level of a machine in repair, in which a package does not start its service. If it does, nobody here minds.
        command.env("DEBIAN_FRONTEND", "noninteractive").env("RUNLEVEL", "1");
        command.stdin(std::process::Stdio::null());
        run(&mut command).map_err(|error| format!("{error}\n{by_hand}"))
    };
    apt(&["update", "-q"])?;
    let install = ["install", "-q", "-y", "--no-install-recommends"];
    apt(&[&install, packages].concat())
}

pub fn require_node() -> Result {
    for program in ["node", "npm"] {
        if find_in_path(program).is_none() {
            return Err(format!(
                "`{program}` is not in PATH: install Node.js 18 or newer; wasm tests, wasm-opt and terser run on it"
            ));
        }
    }
    Ok(())
}

fn install_trunk() -> Result<PathBuf> {
    install_crate("trunk", TRUNK, &["--locked"], "trunk", "5 minutes")
}

/// The command line must be of the very version of the library that is linked into the page.
fn install_wasm_bindgen() -> Result<PathBuf> {
    let lock = root().join("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let version = locked_version(&lock, "wasm-bindgen")
        .ok_or("Cargo.lock names no version of wasm-bindgen, which the page needs")?;
    // Without `--locked`: any versions of what it is built from that fit will do, and they are more likely to be had.
    install_crate("wasm-bindgen-cli", version, &[], "wasm-bindgen-test-runner", "3 minutes")
}

pub fn install_crate(name: &str, version: &str, flags: &[&str], program: &str, duration: &str) -> Result<PathBuf> {
    let home = cache()?.join(format!("{name}-{version}"));
    let programs = home.join("bin");
    // Cargo puts programs in place last, so that one that is there is whole.
    if programs.join(executable(program)).is_file() {
        return Ok(programs);
    }
    say(&format!("Installing {name} {version} into {} (about {duration} on two cores, once)", home.display()));
    create_folder(&home)?;
    let mut command = cargo(&["install", name, "--version", version]);
    command.args(flags).arg("--root").arg(&home);
    // Neither this checkout's configuration nor its target folder is meant for a tool.
    command.current_dir(&home).env_remove("CARGO_TARGET_DIR");
    run(&mut command)?;
    Ok(programs)
}

fn install_wasm_opt() -> Result<PathBuf> {
    install_package("binaryen", BINARYEN, "wasm-opt")
}

fn install_terser() -> Result<PathBuf> {
    install_package("terser", TERSER, "terser")
}

fn install_package(name: &str, version: &str, program: &str) -> Result<PathBuf> {
    let package = [format!("{name}@{version}")];
    let modules = install_packages_of_npm(&format!("{name}-{version}"), &package)?;
    let programs = modules.join(".bin");
    if programs.join(program).exists() || programs.join(format!("{program}.cmd")).exists() {
        Ok(programs)
    } else {
        Err(format!("npm package {name} {version} has no program `{program}`"))
    }
}

/// Packages of npm, in a folder of this name in the cache; the answer is the folder that Node.js looks for them in.
pub fn install_packages_of_npm(folder: &str, packages: &[String]) -> Result<PathBuf> {
    let home = cache()?.join(folder);
    let modules = home.join("node_modules");
    if modules.is_dir() {
        return Ok(modules);
    }
    say(&format!("Installing npm's {} into {}", packages.join(" and "), home.display()));
    // Installed beside its place and moved, so that a run that was stopped leaves nothing that looks whole.
    let partial = cache()?.join(format!("partial-{}", std::process::id()));
    create_folder(&partial)?;
    let npm = find_in_path("npm").unwrap_or_else(|| "npm".into());
    let mut command = command(npm, &["install", "--no-audit", "--no-fund", "--prefix"]);
    command.arg(&partial).args(packages);
    command.current_dir(&partial);
    run(&mut command)?;
    match fs::rename(&partial, &home) {
        Ok(()) => Ok(modules),
        // Another run was faster.
        Err(_) if modules.is_dir() => {
            let _ = fs::remove_dir_all(&partial);
            Ok(modules)
        }
        Err(error) => Err(format!("cannot move {} to its place: {error}", partial.display())),
    }
}

/// `$FENCEPOST_CACHE`, or else `fencepost` in the user's cache folder.
fn cache() -> Result<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    cache_from(set)
        .ok_or_else(|| format!("no home folder is known: set {CACHE_VARIABLE} to a folder where tools may be kept"))
}

fn cache_from(set: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(chosen) = set(CACHE_VARIABLE) {
        return Some(root().join(chosen));
    }
    let caches = set("XDG_CACHE_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .map(PathBuf::from)
        .or_else(|| set("HOME").map(|home| Path::new(&home).join(".cache")))?;
    Some(caches.join("fencepost"))
}

fn create_folder(path: &Path) -> Result {
    fs::create_dir_all(path).map_err(|error| format!("cannot create {}: {error}", path.display()))
}

fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?;
    Some(version.strip_prefix("version = \"")?.trim_end_matches('"'))
}

/// The program that an environment variable names, or else the first of these names in `PATH`.
pub fn find_program(variable: &str, names: &[&str]) -> Option<PathBuf> {
    match env::var_os(variable) {
        Some(path) if !path.is_empty() => Some(path.into()),
        _ => names.iter().find_map(|name| find_in_path(name)),
    }
}

pub fn find_in_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .flat_map(|folder| [folder.join(executable(program)), folder.join(format!("{program}.cmd"))])
        .find(|candidate| candidate.is_file())
}

pub fn executable(program: &str) -> String {
    format!("{program}{}", env::consts::EXE_SUFFIX)
}

/// Where a finished build of the page stands.
pub fn dist() -> PathBuf {
    shell::root().join("dist")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locked_version_is_of_that_very_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.9.9\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "yew"), None);
    }

    #[test]
    fn trunk_is_told_the_version_of_wasm_opt_that_is_installed() {
        let config = fs::read_to_string(root().join("Trunk.toml")).expect("Trunk.toml");
        let major = BINARYEN.split('.').next().expect("a major version");
        let line = format!("wasm_opt = \"version_{major}\"");
        assert!(config.lines().any(|it| it == line), "Trunk.toml: {line}");
    }

    #[test]
    fn the_cache_is_where_it_was_asked_to_be() {
        let folder = |pairs: &[(&str, &str)]| {
            cache_from(|name| {
                let pair = pairs.iter().find(|pair| pair.0 == name);
                pair.map(|pair| pair.1.into())
            })
        };
        let all = [(CACHE_VARIABLE, "/c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(folder(&all), Some("/c".into()));
        assert_eq!(folder(&all[1..]), Some("/x/fencepost".into()));
        assert_eq!(folder(&all[2..]), Some("/h/.cache/fencepost".into()));
        assert_eq!(folder(&[]), None);
    }
}
