//! States that were seen: a set of digests, of bounded size.
//!
//! Open addressing in one array, which doubles when it is three quarters full: eight bytes for each place, nothing else. A digest has 64 bits,
//! so that of ten million states two are taken for one with a probability of three in a million.

#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Zero: free. The length is a power of two, or nothing.
    places: Vec<u64>,
    len: usize,
}

impl Seen {
    /// True if it was there already.
    pub fn insert(&mut self, digest: u64) -> bool {
        if self.len * 4 >= self.places.len() * 3 {
            self.grow();
        }
        let digest = digest.max(1);
        let at = self.place(digest);
        let was_there = self.places[at] == digest;
        if !was_there {
            self.places[at] = digest;
            self.len += 1;
        }
        was_there
    }

    pub fn has(&self, digest: u64) -> bool {
        let digest = digest.max(1);
        !self.places.is_empty() && self.places[self.place(digest)] == digest
    }

    /// What it takes, in bytes.
    pub fn bytes(&self) -> u64 {
        self.places.len() as u64 * 8
    }

    fn place(&self, digest: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = digest as usize & mask;
        while self.places[at] != 0 && self.places[at] != digest {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.places);
        self.places = vec![0; (old.len() * 2).max(1 << 10)];
        for digest in old.into_iter().filter(|d| *d != 0) {
            let at = self.place(digest);
            self.places[at] = digest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::prng;

    #[test]
    fn what_was_put_in_is_found_and_nothing_else() {
        let mut seen = Seen::default();
        assert!(!seen.has(7));
        for i in 0..5_000 {
            assert!(!seen.insert(prng::mix(i, 1)));
        }
        assert!((0..5_000).all(|i| seen.has(prng::mix(i, 1)) && seen.insert(prng::mix(i, 1))));
        assert!((0..5_000).all(|i| !seen.has(prng::mix(i, 2))));
        assert_eq!(seen.bytes(), 8_192 * 8);
    }
}
