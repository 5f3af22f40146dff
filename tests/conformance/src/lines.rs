//! A real line of sessions beside the state machine: random operations, ends of sessions by silence, and restarts of the server.

use crate::compare::{clock_us, number_from, random};
use crate::line::{Answer, CLIENTS, Entry, LOCKS, Mistake, Model, Op, Session, op};
use crate::server::wait_for;
use fencepost::protocol::params::FindEntry;
use proptest::prelude::*;
use std::fmt::Write as _;
use std::thread;
use std::time::Duration;

/// A real server, as a line of sessions.
pub trait Store {
    /// With its version.
    fn name(&self) -> String;

    /// How a client of it finds an entry that it may have made already.
    fn find(&self) -> FindEntry;

    /// No session, no entry.
    fn clear(&mut self);

    fn open(&mut self, session: Session, ttl_ms: i64);

    /// A place in line. Whoever has to wait watches the entry before.
    fn enter(&mut self, lock: u8, session: Session, name: u32) -> Answer;

    fn leave(&mut self, lock: u8, session: Session, name: u32) -> Answer;

    /// Where the entry stands, or that there is none; sets the watch again.
    fn look(&mut self, lock: u8, session: Session, name: u32) -> Answer;

    /// Changes some data if the entry is there, in one step. Whether it was done.
    fn guarded(&mut self, lock: u8, session: Session, name: u32) -> bool;

    fn break_first(&mut self, lock: u8) -> Answer;

    /// Ends a session in good order.
    fn end(&mut self, session: Session);

    /// A sign of life; false if it came too late.
    fn ping(&mut self, session: Session) -> bool;

    /// Whether the server has ended it; not a sign of life.
    fn is_over(&mut self, session: Session) -> bool;

    /// Who stands in line, the owner first, each with the number of the change that made its entry.
    fn line(&mut self, lock: u8) -> Vec<(Entry, u64)>;

    /// Entries whose owners were told since the last question, if the server tells.
    fn told(&mut self) -> Option<Vec<u32>>;

    /// Killed, and started again in the same folder; every client is back at it. False if that took one longer than its session lasts.
    fn restart(&mut self) -> bool;
}

/// One thing that happens.
#[derive(Clone, Debug)]
pub enum Act {
    Op(Op),
    /// These clients fall silent, until the server has ended their sessions. The others go on.
    Silence([bool; CLIENTS as usize]),
    Restart,
}

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub operations: u64,
    /// Of these: sessions that ended by silence.
    pub silent: u64,
    /// Of these: owners that came to own a lock because the one before them was gone.
    pub handed_over: u64,
    pub told: u64,
    pub restarts: u64,
    pub undecided: u64,
}

/// Many operations, while all sessions are alive.
pub fn busy() -> impl Strategy<Value = Vec<Act>> {
    prop::collection::vec(op().prop_map(Act::Op), 20..120)
}

/// Some operations, and clients that fall silent.
pub fn silent() -> impl Strategy<Value = Vec<Act>> {
    let few = || prop::collection::vec(op().prop_map(Act::Op), 12..30);
    let who = || prop::array::uniform5(prop::bool::weighted(0.5));
    (few(), who(), few(), any::<bool>(), few()).prop_map(|(mut acts, who, second, restarts, third)| {
        acts.push(Act::Silence(who));
        acts.extend(second);
        if restarts {
            acts.push(Act::Restart);
        }
        acts.extend(third);
        acts
    })
}

/// A session that nobody's slowness ends.
const LONG_MS: i64 = 600_000;

/// Runs random sequences until so many operations have been compared; the error says what differs.
pub fn hold(
    store: &mut dyn Store,
    mistake: Mistake,
    acts: &impl Strategy<Value = Vec<Act>>,
    ttl_ms: Option<i64>,
    operations: u64,
) -> Result<Tally, String> {
    let seed = number_from("FENCEPOST_SEED", 1);
    let mut tally = Tally::default();
    for round in 1.. {
        let acts = random(acts, seed, round);
        store.clear();
        store.told();
        let name = store.name();
        let model = Model::new(store.find(), ttl_ms.unwrap_or(LONG_MS), mistake);
        let mut both = Both {
            store,
            model,
            ttl_ms,
            origin_ms: clock_us() / 1_000,
            clients: Default::default(),
            ages: Vec::new(),
            last_session: 0,
            last_name: 0,
            pinged_ms: 0,
            log: String::new(),
            tally: &mut tally,
        };
        for act in &acts {
            match both.act(act) {
                Ok(true) => {}
                Ok(false) => {
                    both.tally.undecided += 1;
                    break;
                }
                Err(difference) => {
                    let log = both.log;
                    let head = format!("the model and {name} differ (FENCEPOST_SEED={seed}, sequence {round})");
                    return Err(format!("{head}:\n{log}{difference}"));
                }
            }
        }
        if tally.operations >= operations {
            break;
        }
    }
    Ok(tally)
}

/// What a client knows of itself.
#[derive(Clone, Default)]
struct Client {
    session: Option<Session>,
    /// The last one that is over.
    former: Option<Session>,
    /// Names of its entries, youngest last; some may be gone.
    names: [Vec<u32>; LOCKS as usize],
}

struct Both<'a> {
    store: &'a mut dyn Store,
    model: Model,
    ttl_ms: Option<i64>,
    origin_ms: i64,
    clients: [Client; CLIENTS as usize],
    /// Numbers of entries at the real server, by name.
    ages: Vec<(u32, u64)>,
    last_session: Session,
    last_name: u32,
    pinged_ms: i64,
    log: String,
    tally: &'a mut Tally,
}

impl Both<'_> {
    /// True: the same on both sides. False: nobody can tell, since this machine was too slow for the sessions to live.
    fn act(&mut self, act: &Act) -> Result<bool, String> {
        if !self.keep_alive(&[false; CLIENTS as usize]) {
            return Ok(false);
        }
        let _ = writeln!(self.log, "  {act:?}");
        match act {
            Act::Op(op) => self.op(*op)?,
            Act::Silence(who) => {
                if !self.silence(who)? {
                    return Ok(false);
                }
            }
            Act::Restart => {
                if !self.store.restart() {
                    return Ok(false);
                }
                self.now().restart();
                if !self.keep_alive_now(&[false; CLIENTS as usize]) {
                    return Ok(false);
                }
                self.tally.restarts += 1;
                self.tally.operations += 1;
                self.look_everywhere()?;
            }
        }
        self.compare_lines()?;
        Ok(true)
    }

    fn now_ms(&self) -> i64 {
        clock_us() / 1_000 - self.origin_ms
    }

    /// The model at this instant.
    fn now(&mut self) -> &mut Model {
        let now_ms = self.now_ms();
        self.model.at(now_ms)
    }

    fn op(&mut self, op: Op) -> Result<(), String> {
        match op {
            Op::Enter { lock, client } => self.enter(lock, client, None),
            Op::EnterAgain { lock, client } => {
                let again = self.clients[usize::from(client)].names[usize::from(lock)].last().copied();
                // What is gone is not found again, and a new entry has a new name.
                let is_there = |name: &u32| self.model.line(lock).iter().any(|it| it.name == *name);
                let finds = self.store.find() != FindEntry::Never;
                self.enter(lock, client, again.filter(|name| finds && is_there(name)))
            }
            Op::Leave { lock, client } => {
                let Some((session, name)) = self.youngest(lock, client) else { return Ok(()) };
                let there = self.store.leave(lock, session, name);
                let (here, told) = self.now().leave(lock, session, name);
                self.clients[usize::from(client)].names[usize::from(lock)].retain(|it| *it != name);
                self.compare(there, here, told)
            }
            Op::Look { lock, client } => {
                let Some((session, name)) = self.youngest(lock, client) else { return Ok(()) };
                let there = self.store.look(lock, session, name);
                let (here, told) = self.now().look(lock, session, name);
                self.compare(there, here, told)
            }
            Op::Guarded { lock, client } => {
                let Some((session, name)) = self.youngest(lock, client) else { return Ok(()) };
                let there = self.store.guarded(lock, session, name);
                let here = self.model.line(lock).iter().any(|it| it.name == name);
                let answer = |it| if it { Answer::Yes } else { Answer::No };
                self.compare(answer(there), answer(here), Vec::new())
            }
            Op::Break { lock } => {
                let there = self.store.break_first(lock);
                let (here, told) = self.now().break_lock(lock);
                self.compare(there, here, told)
            }
            Op::End { client } => {
                let Some(session) = self.over(client) else { return Ok(()) };
                self.store.end(session);
                let told = self.now().end(session);
                self.compare(Answer::Yes, Answer::Yes, told)
            }
            Op::Late { lock, client } => {
                let Some(session) = self.clients[usize::from(client)].former else { return Ok(()) };
                let name = self.new_name();
                let there = self.store.enter(lock, session, name);
                let (here, told) = self.now().enter(lock, session, name, false);
                self.compare(there, here, told)
            }
        }
    }

    fn enter(&mut self, lock: u8, client: u8, again: Option<u32>) -> Result<(), String> {
        let name = again.unwrap_or_else(|| self.new_name());
        let known = self.clients[usize::from(client)].session;
        let session = known.unwrap_or_else(|| {
            self.last_session += 1;
            self.store.open(self.last_session, self.ttl_ms.unwrap_or(LONG_MS));
            self.clients[usize::from(client)].session = Some(self.last_session);
            self.last_session
        });
        // The model's clock stands at the sending: no session may end sooner than that allows.
        let sent_ms = self.now_ms();
        let there = self.store.enter(lock, session, name);
        let (here, told) = self.model.at(sent_ms).enter(lock, session, name, known.is_none());
        // A name is kept if there is an entry of that name.
        if self.model.line(lock).iter().any(|it| it.name == name) {
            let names = &mut self.clients[usize::from(client)].names[usize::from(lock)];
            names.retain(|it| *it != name);
            names.push(name);
        }
        self.compare(there, here, told)
    }

    fn new_name(&mut self) -> u32 {
        self.last_name += 1;
        self.last_name
    }

    /// The client's session, with its youngest entry, or a name that nobody has.
    fn youngest(&mut self, lock: u8, client: u8) -> Option<(Session, u32)> {
        let unknown = self.new_name();
        let client = &self.clients[usize::from(client)];
        Some((client.session?, client.names[usize::from(lock)].last().copied().unwrap_or(unknown)))
    }

    /// The client's session, which is over from now on.
    fn over(&mut self, client: u8) -> Option<Session> {
        let client = &mut self.clients[usize::from(client)];
        let session = client.session.take()?;
        *client = Client { former: Some(session), ..Client::default() };
        Some(session)
    }

    /// Signs of life of all but those who are silent, as often as they need it.
    fn keep_alive(&mut self, silent: &[bool; CLIENTS as usize]) -> bool {
        let Some(ttl_ms) = self.ttl_ms else { return true };
        self.now_ms() - self.pinged_ms < ttl_ms / 8 || self.keep_alive_now(silent)
    }

    /// False if one of them came too late, or may have.
    fn keep_alive_now(&mut self, silent: &[bool; CLIENTS as usize]) -> bool {
        let Some(ttl_ms) = self.ttl_ms else { return true };
        for client in (0..CLIENTS).filter(|it| !silent[usize::from(*it)]) {
            if let Some(session) = self.clients[usize::from(client)].session {
                let sent_ms = self.now_ms();
                if !self.store.ping(session) {
                    return false;
                }
                self.model.at(sent_ms).ping(session);
            }
        }
        let took_ms = self.now_ms() - self.pinged_ms;
        self.pinged_ms = self.now_ms();
        took_ms < ttl_ms / 2 || self.clients.iter().all(|it| it.session.is_none())
    }

    /// Sessions end by silence: never sooner than the model says, whatever later.
    fn silence(&mut self, who: &[bool; CLIENTS as usize]) -> Result<bool, String> {
        let mut waiting: Vec<Session> = (0..CLIENTS)
            .filter(|it| who[usize::from(*it)])
            .filter_map(|it| self.clients[usize::from(it)].session)
            .collect();
        let silent = waiting.clone();
        if !self.keep_alive_now(&[false; CLIENTS as usize]) {
            return Ok(false);
        }
        let first: Vec<Option<Entry>> = (0..LOCKS).map(|lock| self.model.line(lock).first().copied()).collect();
        let mut in_time = true;
        wait_for("silent sessions to end", Duration::from_secs(120), || {
            in_time &= self.keep_alive(who);
            waiting.retain(|it| !self.store.is_over(*it));
            thread::sleep(Duration::from_millis(20));
            waiting.is_empty() || !in_time
        });
        if !in_time {
            return Ok(false);
        }
        let told = self.now().expire();
        let alive = self.model.sessions();
        if let Some(early) = silent.iter().find(|it| alive.contains(it)) {
            return Err(format!("session {early} is over sooner than it may be"));
        }
        for client in (0..CLIENTS).filter(|it| who[usize::from(*it)]) {
            self.over(client);
        }
        let now: Vec<Option<Entry>> = (0..LOCKS).map(|lock| self.model.line(lock).first().copied()).collect();
        let handed = |(before, after): (&Option<Entry>, &Option<Entry>)| before != after && after.is_some();
        self.tally.handed_over += first.iter().zip(&now).filter(|it| handed(*it)).count() as u64;
        self.tally.silent += silent.len() as u64;
        self.tally.operations += silent.len() as u64;
        self.compare(Answer::Yes, Answer::Yes, told)?;
        Ok(true)
    }

    /// Everybody looks at each of its entries again, as after a broken connection.
    fn look_everywhere(&mut self) -> Result<(), String> {
        for lock in 0..LOCKS {
            for Entry { session, name } in self.model.line(lock) {
                let there = self.store.look(lock, session, name);
                let (here, told) = self.now().look(lock, session, name);
                self.compare(there, here, told)?;
            }
        }
        Ok(())
    }

    /// Answers, and who is told.
    fn compare(&mut self, there: Answer, here: Answer, told: Vec<u32>) -> Result<(), String> {
        self.tally.operations += 1;
        let _ = writeln!(self.log, "    {there:?}");
        if there != here {
            return Err(format!("  the server {there:?}, the model {here:?}"));
        }
        let Some(mut there) = self.store.told() else { return Ok(()) };
        // Whoever has left is told nothing that matters to it.
        let still: Vec<u32> = self.model.by_age().iter().map(|it| it.name).collect();
        let mut told = told;
        told.retain(|it| still.contains(it));
        there.retain(|it| still.contains(it));
        there.sort_unstable();
        self.tally.told += told.len() as u64;
        if told == there { Ok(()) } else { Err(format!("  the server tells {there:?}, the model {told:?}")) }
    }

    /// Everybody in line, and which entry is older than which.
    fn compare_lines(&mut self) -> Result<(), String> {
        for lock in 0..LOCKS {
            let there = self.store.line(lock);
            let here = self.model.line(lock);
            let entries: Vec<Entry> = there.iter().map(|it| it.0).collect();
            if entries != here {
                return Err(format!("  L{lock}: the server {entries:?}\n      the model  {here:?}"));
            }
            for (entry, number) in there {
                match self.ages.iter().find(|it| it.0 == entry.name) {
                    None => self.ages.push((entry.name, number)),
                    Some(known) if known.1 == number => {}
                    Some(known) => return Err(format!("  {entry:?} was number {}, and is number {number}", known.1)),
                }
            }
        }
        // By the model's numbers and by the server's, over all locks, those that have left included.
        let here = self.model.by_age();
        let age = |name: u32| self.ages.iter().find(|it| it.0 == name).expect("it has just been seen").1;
        let numbers: Vec<u64> = here.iter().map(|it| age(it.name)).collect();
        if !numbers.is_sorted_by(|one, next| one < next) {
            return Err(format!("  by age {here:?}, at the server numbers {numbers:?}"));
        }
        let newest = self.ages.iter().map(|it| it.1).max();
        if self.ages.last().is_some_and(|it| Some(it.1) != newest) {
            return Err(format!("  an entry got a number that is not the highest ever: {:?}", self.ages));
        }
        Ok(())
    }
}
