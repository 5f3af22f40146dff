//! The model of a line of sessions, held against etcd and ZooKeeper.

use conformance::compare::number_from;
use conformance::etcd::Etcd;
use conformance::etcdctl::{self, Story};
use conformance::line::Mistake;
use conformance::lines::{self, Store, Tally};
use conformance::report::{grouped, say};
use conformance::zk_wire::{CONTAINER, Connection, EPHEMERAL_SEQUENTIAL, Error, NO_NODE};
use conformance::zookeeper::{ZooKeeper, suffix};
use fencepost::protocol::params::FindEntry;
use std::thread;
use std::time::Duration;

/// Longer than a busy machine sleeps, and short enough to wait for its end.
const SHORT_MS: i64 = 4_000;

/// Each stands on the page of the protocol, `docs/protocols/session-queue.md`.
const KNOWN_ETCD: [&str; 3] =
    ["A session is opened by the first acquire", "an etcd acquire does not", "How much later a session ends"];
const KNOWN_ZOOKEEPER: [&str; 3] = [
    "A session is opened by the first acquire",
    "Any request keeps a ZooKeeper session alive",
    "How much later a session ends",
];

#[test]
fn every_known_difference_stands_on_the_page_of_the_protocol() {
    let page = include_str!("../../../docs/protocols/session-queue.md").replace('\n', " ");
    for known in KNOWN_ETCD.iter().chain(&KNOWN_ZOOKEEPER) {
        assert!(page.contains(known), "{known}");
    }
}

fn hold(store: &mut dyn Store, ttl_ms: Option<i64>, operations: u64) -> Tally {
    let outcome = match ttl_ms {
        None => lines::hold(store, Mistake::None, &lines::busy(), None, operations),
        Some(_) => lines::hold(store, Mistake::None, &lines::silent(), ttl_ms, operations),
    };
    outcome.unwrap_or_else(|report| panic!("{report}"))
}

/// One server with sessions that live, one with sessions that end.
fn hold_all(start: fn(FindEntry) -> Box<dyn Store>, finds: &[FindEntry], known: &[&str]) {
    let operations = number_from("FENCEPOST_OPERATIONS", 10_000);
    let done: Vec<Tally> = thread::scope(|scope| {
        let busy = finds.iter().map(|find| (*find, None, operations * 2 / 5 / finds.len() as u64));
        let silent = [(finds[0], Some(SHORT_MS), operations / 30)];
        let all = busy.chain(silent);
        let running: Vec<_> =
            all.map(|(find, ttl, number)| scope.spawn(move || hold(&mut *start(find), ttl, number))).collect();
        running.into_iter().map(|it| it.join().expect("no difference; the report stands above")).collect()
    });
    let name = start(finds[0]).name();
    let sum = |count: fn(&Tally) -> u64| done.iter().map(count).sum::<u64>();
    let mut of_them = format!(
        "{} sessions ended by silence, which handed {} locks on; {} restarts",
        sum(|it| it.silent),
        sum(|it| it.handed_over),
        sum(|it| it.restarts),
    );
    let (told, undecided) = (sum(|it| it.told), sum(|it| it.undecided));
    if told > 0 {
        of_them += &format!("; {} waiters told", grouped(told));
    }
    if undecided > 0 {
        of_them += &format!("; {undecided} given up, since this machine was slower than a session is long");
    }
    say(&name, sum(|it| it.operations), &of_them, known);
    assert!(sum(|it| it.silent) > 0 && sum(|it| it.handed_over) > 0, "these sequences show too little");
}

#[test]
fn the_line_is_etcds() {
    hold_all(|_| Box::new(Etcd::start()), &[FindEntry::BySession], &KNOWN_ETCD);
}

#[test]
fn the_line_is_zookeepers() {
    hold_all(|find| Box::new(ZooKeeper::start(find)), &[FindEntry::Never, FindEntry::ByName], &KNOWN_ZOOKEEPER);
}

/// Four clients of one lock; the owner, and who waits right behind it, are well, killed or stopped. Who believes after whom is the same.
///
/// Known: before 3.5 etcd's client does not look at its own entry again when its turn has come (`recheck = false`), so one whose session has
/// died in line believes beside the owner.
#[test]
fn etcds_own_client_believes_in_the_same_order() {
    let etcd = Etcd::start();
    let version = etcdctl::version();
    let looks_again = !version.starts_with("3.4.");
    let stories = Story::all();
    let done: Vec<(Story, Vec<usize>)> = thread::scope(|scope| {
        let one = |(number, story): (usize, &Story)| {
            let (etcd, story) = (&etcd, *story);
            scope.spawn(move || (story, etcdctl::carry_out(etcd, etcd.folder(), &format!("story-{number}"), story)))
        };
        let running: Vec<_> = stories.iter().enumerate().map(one).collect();
        running.into_iter().map(|it| it.join().expect("it comes to its end")).collect()
    });
    for (story, there) in &done {
        let here = etcdctl::predict(*story, looks_again);
        assert_eq!(*there, here, "{story:?}, etcdctl {version}, and the engine");
    }
    let beliefs: usize = done.iter().map(|it| it.1.len()).sum();
    say(&format!("etcdctl {version}"), beliefs as u64, &format!("beliefs in {} stories", done.len()), &[]);
}

#[test]
fn a_mistake_about_a_line_is_found() {
    let mut etcd = Etcd::start();
    for mistake in [Mistake::FindsWrongly, Mistake::KeepsEntries] {
        let report = lines::hold(&mut etcd, mistake, &lines::busy(), None, 1_000).expect_err("it is found");
        assert!(report.contains("the model"), "{report}");
    }
}

/// What people take for a token and is none: the data version of a fresh node is always 0, and the number at the end of its name starts again
/// when the parent, a container as Curator makes one, was empty for a while. The number of the change that created it goes on.
#[test]
fn zookeepers_sequence_starts_again_and_its_czxid_does_not() {
    let zookeeper = ZooKeeper::start(FindEntry::Never);
    let mut client = Connection::open(zookeeper.port(), 60_000).expect("a session");
    let mut entry = || {
        client.create("/lock", CONTAINER).map(|_| ()).or_else(|error| match error {
            Error::Code(conformance::zk_wire::NODE_EXISTS) => Ok(()),
            other => Err(other),
        })?;
        client.create("/lock/entry-", EPHEMERAL_SEQUENTIAL)
    };
    let (first, first_stat) = entry().expect("an entry");
    let (second, second_stat) = entry().expect("an entry");
    assert_eq!((suffix(&first), suffix(&second)), (0, 1));
    for path in [&first, &second] {
        client.delete(path).expect("it is there");
    }
    conformance::server::wait_for("the empty container to go", Duration::from_secs(60), || {
        matches!(client.exists("/lock", false), Err(Error::Code(NO_NODE)))
    });
    client.create("/lock", CONTAINER).expect("a new container");
    let (third, third_stat) = client.create("/lock/entry-", EPHEMERAL_SEQUENTIAL).expect("an entry");
    assert_eq!(suffix(&third), 0, "a number that was given out before");
    assert!(first_stat.czxid < second_stat.czxid && second_stat.czxid < third_stat.czxid);
    assert_eq!([first_stat.version, second_stat.version, third_stat.version], [0; 3]);
    client.set_data(&third).expect("it is there");
    assert_eq!(client.exists(&third, false).expect("it is there").version, 1, "only a change of its data raises it");
}
