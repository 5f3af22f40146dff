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
}

impl Service {
    /// One sentence.
    pub fn says(&self) -> &'static str {
        super::meaning::meaning("services", self.word).0
    }
}

const fn now(word: &'static str, family: &'static str, label: &'static str) -> Service {
    Service { word, family, label, built: true }
}

const fn later(word: &'static str, family: &'static str, label: &'static str) -> Service {
    Service { word, family, label, built: false }
}

/// Neutral ones first.
pub const SERVICES: &[Service] = &[
    now("redis", "redis", "Single Redis"),
    now("redlock", "redlock", "Redlock"),
    now("consensus", "consensus", "Consensus lease"),
    later("session-queue", "session-queue", "Session queue"),
    later("observed-record", "observed-record", "Observed record"),
    later("local", "local", "Local lock"),
    now("none", "none", "No lock"),
    later("redisson", "redis", "Redisson RLock"),
    later("redisson-fair", "redis", "Redisson fair lock"),
    now("redisson-redlock", "redlock", "Redisson RedLock"),
    now("node-redlock", "redlock", "node-redlock"),
    now("redlock-rb", "redlock", "redlock-rb"),
    now("redsync", "redlock", "redsync"),
    now("rslock", "redlock", "rslock"),
    later("zookeeper", "session-queue", "ZooKeeper recipe"),
    later("curator", "session-queue", "Curator mutex"),
    later("etcd", "session-queue", "etcd mutex"),
    later("consul", "consensus", "Consul session lock"),
    later("chubby", "consensus", "Chubby"),
    later("hazelcast", "session-queue", "Hazelcast FencedLock"),
    later("dynamodb", "observed-record", "DynamoDB lock client"),
    later("kubernetes", "observed-record", "Kubernetes leader election"),
    later("azure-blob", "redis", "Azure blob lease"),
    later("s3", "observed-record", "S3 conditional writes"),
    later("gcs", "observed-record", "GCS preconditions"),
    later("postgres-advisory", "local", "Postgres advisory lock"),
    later("postgres-row", "local", "Postgres row lock"),
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
