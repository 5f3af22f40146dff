//! The lock services that a scenario can name.
//!
//! Seven neutral ones stand for a family each; the products are profiles, that is, the neutral service with other values. Profiles are data and
//! never change: a product that moves gets a new name.

/// A word for `lock.service`.
#[derive(Clone, Copy, Debug)]
pub struct Service {
    pub word: &'static str,
    /// The neutral service whose behaviour it has.
    pub family: &'static str,
    /// For people.
    pub label: &'static str,
    /// Can this version run it?
    pub built: bool,
    /// One sentence.
    pub says: &'static str,
}

const fn now(word: &'static str, family: &'static str, label: &'static str, says: &'static str) -> Service {
    Service { word, family, label, built: true, says }
}

const fn later(word: &'static str, family: &'static str, label: &'static str, says: &'static str) -> Service {
    Service { word, family, label, built: false, says }
}

/// Neutral ones first.
pub const SERVICES: &[Service] = &[
    now("redis", "redis", "Single Redis", "A key with a time to live on one server, set only if absent."),
    now("redlock", "redlock", "Redlock", "A majority of five independent keys, by the specification's client."),
    now("consensus", "consensus", "Consensus lease", "A replicated lease: an effect exists once a majority has it."),
    later(
        "session-queue",
        "session-queue",
        "Session queue",
        "Sessions that are kept alive, and a queue whose head owns the lock.",
    ),
    later(
        "observed-record",
        "observed-record",
        "Observed record",
        "A record without a clock, which observers take over when it stops changing.",
    ),
    later("local", "local", "Local lock", "A lock inside one machine."),
    now("none", "none", "No lock", "No lock at all: acquire succeeds at once and means nothing."),
    later("redisson", "redis", "Redisson RLock", "Redisson's lock with its watchdog."),
    later("redisson-fair", "redis", "Redisson fair lock", "Redisson's lock with a queue."),
    later("redisson-redlock", "redlock", "Redisson RedLock", "Redisson's lock over several servers."),
    later("node-redlock", "redlock", "node-redlock", "A widely used client without the elapsed-time check."),
    later("redlock-rb", "redlock", "redlock-rb", "The Ruby client."),
    later("redsync", "redlock", "redsync", "The Go client."),
    later("rslock", "redlock", "rslock", "The Rust client."),
    later("zookeeper", "session-queue", "ZooKeeper recipe", "Ephemeral sequential nodes, by the recipe."),
    later("curator", "session-queue", "Curator mutex", "Curator's InterProcessMutex."),
    later("etcd", "session-queue", "etcd mutex", "etcd's session and mutex."),
    later("consul", "consensus", "Consul session lock", "Consul's key-value lock with a session and lock-delay."),
    later("chubby", "consensus", "Chubby", "Chubby's sessions, sequencers, lock-delay and grace period."),
    later("hazelcast", "session-queue", "Hazelcast FencedLock", "Hazelcast's lock of the CP subsystem."),
    later("dynamodb", "observed-record", "DynamoDB lock client", "A row with a version, watched by its waiters."),
    later(
        "kubernetes",
        "observed-record",
        "Kubernetes leader election",
        "client-go's leader election over a Lease object.",
    ),
    later("azure-blob", "redis", "Azure blob lease", "The lease of a blob."),
    later("s3", "observed-record", "S3 conditional writes", "An object that is created or replaced only if unchanged."),
    later("gcs", "observed-record", "GCS preconditions", "An object with a generation as its precondition."),
    later("postgres-advisory", "local", "Postgres advisory lock", "A lock that lives with a database session."),
    later("postgres-row", "local", "Postgres row lock", "A locked row in a transaction."),
];

pub fn service(word: &str) -> Option<&'static Service> {
    SERVICES.iter().find(|s| s.word == word)
}

/// The neutral service behind a word; the word itself if it is unknown.
pub fn family(word: &str) -> &str {
    service(word).map_or(word, |s| s.family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_service_are_the_services() {
        let words: Vec<(&str, bool)> =
            super::super::by_path("lock.service").unwrap().words.iter().map(|w| (w.text, w.built)).collect();
        let services: Vec<(&str, bool)> = SERVICES.iter().map(|s| (s.word, s.built)).collect();
        assert_eq!(words, services);
    }
}
