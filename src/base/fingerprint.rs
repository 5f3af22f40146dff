//! A stable 64-bit fingerprint: equal natively and in wasm, today and in five years.
//!
//! `std`'s hashers hash lengths as `usize` and enum tags as `isize`, whose width differs between targets; this one widens both to
//! 64 bits. FNV-1a over words, finished with SplitMix64's mixer: not cryptographic, which an outcome digest does not need to be.

use std::fmt;
use std::hash::Hasher;

/// A [`Hasher`] whose result is part of the formats (links quote it).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    pub const fn new() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }

    // Called from every field of every event: in the page a call is smaller than its body.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    pub fn word(&mut self, w: u64) {
        self.0 = (self.0 ^ w).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    }
}

impl Default for Fingerprint {
    fn default() -> Self {
        Fingerprint::new()
    }
}

impl Hasher for Fingerprint {
    fn finish(&self) -> u64 {
        super::prng::mix(self.0, 0)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut w = [0u8; 8];
            w[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(w));
        }
    }

    fn write_u8(&mut self, i: u8) {
        self.word(u64::from(i));
    }

    fn write_u16(&mut self, i: u16) {
        self.word(u64::from(i));
    }

    fn write_u32(&mut self, i: u32) {
        self.word(u64::from(i));
    }

    fn write_u64(&mut self, i: u64) {
        self.word(i);
    }

    fn write_usize(&mut self, i: usize) {
        self.word(i as u64);
    }

    fn write_i64(&mut self, i: i64) {
        self.word(i as u64);
    }

    fn write_isize(&mut self, i: isize) {
        self.word(i as i64 as u64);
    }
}

/// Sixteen hexadecimal digits in two groups, as shown under a run.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let h = self.finish();
        write!(f, "{:08x}·{:08x}", h >> 32, h & 0xffff_ffff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::Hash;

    #[test]
    fn the_value_is_pinned() {
        let mut f = Fingerprint::new();
        (1u8, 2u16, 3u32, 4u64, 5usize, -6i64, Some(7u8)).hash(&mut f);
        "abc".hash(&mut f);
        [1u8, 2, 3].hash(&mut f);
        assert_eq!(f.to_string(), "b7e3b0bc·9c6e35fe");
    }
}
