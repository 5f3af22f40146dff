//! Seeded answers keyed by what is asked.
//!
//! A generator with one global stream would make every draw depend on every earlier one: an edit in one place would reshuffle the
//! rest, and two designs under one seed would meet different networks. So a draw is a pure function of the seed and of the
//! *question* (which link, which kind, which occurrence). The mixing function is SplitMix64's finaliser (Steele, Lea, Flood,
//! "Fast splittable pseudorandom number generators", OOPSLA 2014).

/// Mixes one more word into a key.
#[inline]
pub fn mix(state: u64, word: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_add(word.wrapping_mul(0xd134_2543_de82_ef95));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A well mixed word for the question `key` under `seed`.
pub fn answer(seed: u64, key: &[u64]) -> u64 {
    key.iter().fold(mix(seed, 0x5eed), |s, w| mix(s, *w))
}

/// A word for a name, equal wherever and whenever the name is.
pub fn name(name: &str) -> u64 {
    name.bytes().fold(mix(0x6e61_6d65, name.len() as u64), |s, byte| mix(s, u64::from(byte)))
}

/// A whole number in `0..=max`, from a mixed word, without modulo bias worth speaking of (multiply-shift).
pub fn up_to(word: u64, max: u64) -> u64 {
    let wide = u128::from(word) * (u128::from(max) + 1);
    (wide >> 64) as u64
}

/// A number in the open interval (0, 1) with 53 bits, from a mixed word.
pub fn unit(word: u64) -> f64 {
    ((word >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_pinned_for_links_made_years_ago() {
        assert_eq!(answer(1, &[1, 2, 3]), answer(1, &[1, 2, 3]));
        assert_ne!(answer(1, &[1, 2, 3]), answer(1, &[1, 3, 2]));
        assert_ne!(answer(1, &[1]), answer(2, &[1]));
    }

    #[test]
    fn names_are_told_apart_and_pinned() {
        let names = ["", "R", "W1", "W2", "W1 "].map(name);
        assert!((1..names.len()).all(|i| !names[..i].contains(&names[i])));
        assert_eq!(name("W1"), 11_457_175_582_672_033_454);
    }

    #[test]
    fn draws_stay_in_range() {
        for i in 0..1_000 {
            let w = answer(7, &[i]);
            assert!(up_to(w, 10) <= 10);
            let u = unit(w);
            assert!(u > 0.0 && u < 1.0);
        }
    }
}
