//! The real side: a Redis server of our own, asked with the commands and scripts that clients use.
//!
//! Each operation is one transaction together with a look at every key, between two questions for the time. So whatever the server did,
//! it did it while its clock showed one of the milliseconds in between, which is nearly always one and the same.

use crate::model::Setting;
use crate::op::{Answer, LOCKS, Op, State};
use crate::server::{self, Recipe, Server};
use fencepost::base::message::Compare;
use fencepost::protocol::params::Persistence;
use redis::{Client, Cmd, Connection, Value};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Set if absent, and raise the counter if there is one, in one step. Answers 0, the token, or -2 where there are no tokens.
const ACQUIRE: &str = "
local set = {'SET', KEYS[1], ARGV[1], 'NX'}
if ARGV[2] then set[5] = 'PX'; set[6] = ARGV[2] end
if not redis.call(unpack(set)) then return 0 end
return KEYS[2] and redis.call('INCR', KEYS[2]) or -2";

/// The script of the documentation.
const COMPARE_AND_DELETE: &str = "
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0";

/// A new end if it is the caller's. Answers 0, or -1 if it was.
const COMPARE_AND_EXTEND: &str = "
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) else redis.call('PERSIST', KEYS[1]) end
return -1";

/// A new end for whatever record is there.
const EXTEND: &str = "
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if ARGV[2] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) else redis.call('PERSIST', KEYS[1]) end
return -1";

pub struct Redis {
    server: Server,
    connection: Connection,
    setting: Setting,
    pub version: String,
    /// Milliseconds are counted from here, so that a report can be read.
    origin_ms: i64,
}

/// What one operation did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The server's clock showed this before it, and that after it.
    pub from_ms: i64,
    pub to_ms: i64,
    pub answer: Answer,
    pub states: Vec<State>,
}

impl Redis {
    /// Starts a server.
    pub fn start(setting: Setting) -> Redis {
        let recipe = recipe();
        // Never rewritten, so that a place in the log of commands is an instant.
        let log = ["--appendonly", "yes", "--auto-aof-rewrite-percentage", "0", "--appendfsync"];
        let server = match setting.persistence {
            Persistence::None => Server::start(recipe, &["--appendonly", "no"]),
            Persistence::EverySecond => Server::start(recipe, &[&log[..], &["everysec"]].concat()),
            Persistence::Always => Server::start(recipe, &[&log[..], &["always"]].concat()),
        };
        let mut connection = connect(server.port(0)).expect("it has just answered");
        let version = version(&mut connection);
        Redis { server, connection, setting, version, origin_ms: 0 }
    }

    /// Forgets everything, and counts milliseconds from now.
    pub fn clear(&mut self) {
        redis::cmd("FLUSHALL").exec(&mut self.connection).expect("FLUSHALL");
        self.origin_ms = crate::compare::clock_us() / 1_000;
    }

    pub fn now_ms(&self) -> i64 {
        crate::compare::clock_us() / 1_000 - self.origin_ms
    }

    /// Waits until the clock shows so many milliseconds.
    pub fn wait_until_ms(&self, at_ms: i64) {
        crate::compare::wait_until_us((at_ms + self.origin_ms) * 1_000);
    }

    /// Carries out one operation and looks at everything; without one, only looks.
    pub fn carry_out(&mut self, op: Option<Op>) -> Seen {
        let mut pipe = redis::pipe();
        pipe.cmd("TIME");
        if op == Some(Op::Evict) {
            // Any command under a limit that cannot be met evicts all that may be evicted.
            pipe.cmd("CONFIG").arg(&["SET", "maxmemory", "1"]).cmd("PING");
            pipe.cmd("CONFIG").arg(&["SET", "maxmemory", "0"]);
        }
        pipe.cmd("MULTI");
        let command = op.and_then(|it| self.command(it));
        let has_command = command.is_some();
        if let Some(command) = command {
            pipe.add_command(command);
        }
        for lock in 0..LOCKS {
            pipe.cmd("GET").arg(key(lock)).cmd("PEXPIRETIME").arg(key(lock)).cmd("GET").arg(counter(lock));
        }
        // An error is an answer too.
        pipe.cmd("EXEC").cmd("TIME").ignore_errors();
        let answers: Vec<Value> = pipe.query(&mut self.connection).unwrap_or_else(|error| panic!("{op:?}: {error}"));

        let time_ms = |value: &Value| {
            let (s, us): (i64, i64) = redis::from_redis_value(value.clone()).expect("TIME answers two numbers");
            s * 1_000 + us / 1_000 - self.origin_ms
        };
        let [first, .., Value::Array(done), last] = &answers[..] else { panic!("{op:?} is answered by {answers:?}") };
        let (answer, looked) = match (op, has_command) {
            (Some(op), true) => (self.answer(op, &done[0]), &done[1..]),
            _ => (Answer::Yes, &done[..]),
        };
        let states = looked.chunks(3).map(|it| self.state(it)).collect();
        Seen { from_ms: time_ms(first), to_ms: time_ms(last), answer, states }
    }

    pub fn port(&self) -> u16 {
        self.server.port(0)
    }

    /// Copies the server at this port from now on; without one, it copies nobody and is its own primary.
    pub fn follow(&mut self, port: Option<u16>) {
        let mut command = redis::cmd("REPLICAOF");
        match port {
            Some(port) => command.arg("127.0.0.1").arg(port),
            None => command.arg("NO").arg("ONE"),
        };
        command.exec(&mut self.connection).expect("REPLICAOF");
    }

    /// Whether a replica has all that was asked of this connection, within so many milliseconds.
    pub fn wait_for_replica(&mut self, within_ms: u32) -> bool {
        let has = redis::cmd("WAIT").arg(1).arg(within_ms).query::<u32>(&mut self.connection);
        has.expect("WAIT") >= 1
    }

    /// Whether it says that it is a replica and takes no orders.
    pub fn refuses_to_write(&mut self) -> bool {
        let answer = redis::cmd("SET").arg(key(0)).arg(name(1)).arg("NX").exec(&mut self.connection);
        answer.is_err_and(|error| error.code() == Some("READONLY"))
    }

    /// Counts milliseconds from where the other one does.
    pub fn counts_from(&mut self, other: &Redis) {
        self.origin_ms = other.origin_ms;
    }

    /// How long the log of commands on the disk is, once everything is in it; 0 where there is none.
    pub fn log_length(&mut self) -> u64 {
        let Some(log) = self.log() else { return 0 };
        while line_of(&info(&mut self.connection, "persistence"), "aof_buffer_length") != "0" {
            thread::sleep(Duration::from_millis(1));
        }
        fs::metadata(log).expect("the log of commands").len()
    }

    /// Kills the process.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Starts it again, with no more of its log of commands than so many bytes.
    pub fn restart(&mut self, log_length: Option<u64>) {
        if let (Some(length), Some(log)) = (log_length, self.log()) {
            File::options().write(true).open(log).and_then(|it| it.set_len(length)).expect("a log to cut");
        }
        self.server.restart();
        self.connection = connect(self.server.port(0)).expect("it has just answered");
    }

    fn log(&self) -> Option<PathBuf> {
        let log = || self.server.folder().join("appendonlydir/appendonly.aof.1.incr.aof");
        (self.setting.persistence != Persistence::None).then(log)
    }

    fn command(&self, op: Op) -> Option<Cmd> {
        let command = match op {
            Op::Acquire { lock, owner, ttl } if self.setting.tokens => self.script(ACQUIRE, lock, owner, ttl),
            Op::SetIfAbsent { lock, owner } if self.setting.tokens => self.script(ACQUIRE, lock, owner, None),
            Op::Acquire { lock, owner, ttl: Some(ttl) } => {
                command("SET", lock).arg(name(owner)).arg("NX").arg("PX").arg(ttl).take()
            }
            Op::Acquire { lock, owner, ttl: None } => command("SET", lock).arg(name(owner)).arg("NX").take(),
            Op::SetIfAbsent { lock, owner } => command("SETNX", lock).arg(name(owner)).take(),
            Op::Expire { lock, ttl } => command("PEXPIRE", lock).arg(ttl).take(),
            Op::Extend { lock, ttl: Some(ttl), compare: Compare::Nothing, .. } => {
                command("PEXPIRE", lock).arg(ttl).take()
            }
            Op::Extend { lock, owner, ttl, compare } => match compare {
                Compare::Nothing => self.script(EXTEND, lock, owner, ttl),
                Compare::Owner => self.script(COMPARE_AND_EXTEND, lock, owner, ttl),
                Compare::Stamp => panic!("stamps are a client's own script, and no operation of this suite has any"),
                Compare::OwnerOrAbsent => {
                    let acquire_if_absent =
                        format!("if redis.call('EXISTS', KEYS[1]) == 0 then {ACQUIRE} end\n{COMPARE_AND_EXTEND}");
                    self.script(&acquire_if_absent, lock, owner, ttl)
                }
            },
            Op::Release { lock, compare: Compare::Nothing, .. } | Op::Break { lock } | Op::Vanish { lock } => {
                command("DEL", lock)
            }
            Op::Release { lock, owner, .. } => self.script(COMPARE_AND_DELETE, lock, owner, None),
            Op::Ask { lock, .. } => command("GET", lock),
            Op::Evict | Op::Crash(_) => return None,
        };
        Some(command)
    }

    fn script(&self, text: &str, lock: u8, owner: u32, ttl: Option<u16>) -> Cmd {
        let mut eval = redis::cmd("EVAL");
        eval.arg(text);
        if self.setting.tokens {
            eval.arg(2).arg(key(lock)).arg(counter(lock));
        } else {
            eval.arg(1).arg(key(lock));
        }
        eval.arg(name(owner)).arg(ttl);
        eval
    }

    fn answer(&self, op: Op, value: &Value) -> Answer {
        let creates = matches!(
            op,
            Op::Acquire { .. } | Op::SetIfAbsent { .. } | Op::Extend { compare: Compare::OwnerOrAbsent, .. }
        );
        match (op, value) {
            (Op::Ask { owner, .. }, Value::BulkString(text)) if number(text) == Some(owner) => Answer::Yes,
            (Op::Ask { .. }, _) | (_, Value::Nil | Value::Int(0)) => Answer::No,
            (_, Value::Int(-1)) => Answer::Yes,
            (_, Value::Okay | Value::Int(-2)) => Answer::Granted(None),
            // `SETNX` says 1, a script the token.
            (Op::SetIfAbsent { .. }, Value::Int(1)) if !self.setting.tokens => Answer::Granted(None),
            (_, Value::Int(token)) if creates => Answer::Granted(u64::try_from(*token).ok()),
            (_, Value::Int(1)) => Answer::Yes,
            _ => Answer::Odd,
        }
    }

    /// From the answers of `GET` and `PEXPIRETIME` of a record, and of `GET` of its counter.
    fn state(&self, looked: &[Value]) -> State {
        let owner = match &looked[0] {
            Value::Nil => None,
            Value::BulkString(name) => Some(number(name).expect("an owner's name")),
            other => panic!("a record is {other:?}"),
        };
        let last_ms = match looked[1] {
            Value::Int(-1) => None,
            Value::Int(at_ms) => Some(at_ms - self.origin_ms),
            ref other => panic!("an end is {other:?}"),
        };
        let counter = match &looked[2] {
            Value::Nil => None,
            Value::BulkString(text) => Some(u64::from(number(text).expect("a number"))),
            other => panic!("a counter is {other:?}"),
        };
        State { record: owner.map(|owner| (owner, last_ms)), counter }
    }
}

/// One server. Its program is `redis-server`, or the one in `FENCEPOST_REDIS`.
pub fn recipe() -> Recipe {
    let program = server::program("FENCEPOST_REDIS", "redis-server");
    Recipe { name: "redis", program, ports: 1, arguments, answers }
}

/// The server's version, which must be new enough.
pub fn version(connection: &mut Connection) -> String {
    let version = line_of(&info(connection, "server"), "redis_version");
    let major: Option<u32> = version.split('.').next().and_then(|it| it.parse().ok());
    assert!(major.is_some_and(|it| it >= 7), "Redis {version}: these tests need PEXPIRETIME, so at least 7");
    version
}

fn arguments(folder: &Path, ports: &[u16]) -> Vec<String> {
    let folder = folder.to_string_lossy().into_owned();
    let port = ports[0].to_string();
    let fixed = ["--bind", "127.0.0.1", "--save", "", "--maxmemory-policy", "volatile-ttl"];
    // Without it, an eviction may stop half-way and go on a little later.
    let whole = ["--maxmemory-eviction-tenacity", "100"];
    // A replica gets its first copy at once.
    let copies = ["--repl-diskless-sync-delay", "0"];
    let own = ["--port", &port, "--dir", &folder];
    fixed.iter().chain(&whole).chain(&copies).chain(&own).map(|it| (*it).to_owned()).collect()
}

fn answers(ports: &[u16], process: u32) -> bool {
    let Ok(mut connection) = connect(ports[0]) else { return false };
    // While it reads its log of commands it refuses most questions.
    let ready = redis::cmd("PING").query::<String>(&mut connection).is_ok();
    ready && line_of(&info(&mut connection, "server"), "process_id") == process.to_string()
}

pub fn connect(port: u16) -> redis::RedisResult<Connection> {
    let patience = Duration::from_secs(5);
    let connection = Client::open(format!("redis://127.0.0.1:{port}/"))?.get_connection_with_timeout(patience)?;
    connection.set_read_timeout(Some(patience))?;
    Ok(connection)
}

fn info(connection: &mut Connection, section: &str) -> String {
    redis::cmd("INFO").arg(section).query(connection).expect("INFO")
}

fn line_of(info: &str, name: &str) -> String {
    let value = |line: &str| line.strip_prefix(name)?.strip_prefix(':').map(str::to_owned);
    info.lines().find_map(value).unwrap_or_else(|| panic!("INFO has no `{name}`:\n{info}"))
}

fn command(word: &str, lock: u8) -> Cmd {
    redis::cmd(word).arg(key(lock)).take()
}

fn key(lock: u8) -> String {
    format!("lock:{lock}")
}

fn counter(lock: u8) -> String {
    format!("lock:{lock}:counter")
}

fn name(owner: u32) -> String {
    format!("owner-{owner}")
}

/// The number at the end of a text.
fn number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text).ok()?.trim_start_matches("owner-").parse().ok()
}
