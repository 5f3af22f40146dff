//! Sorting by two numbers, through one function that is compiled once for everything on a picture.

use crate::base::TrueTime;

/// Sorts by a key; equal items keep their order.
pub(crate) fn by_key<T>(items: &mut [T], key: impl Fn(&T) -> (i64, i64)) {
    for (i, from) in swaps(items.len(), &|i| key(&items[i])).into_iter().enumerate() {
        items.swap(i, from);
    }
}

/// Instants in order, each once.
#[inline(never)]
pub(crate) fn instants(all: &mut Vec<TrueTime>) {
    by_key(all, |t| (t.as_us(), 0));
    all.dedup();
}

/// By place, in order: the place that holds what belongs here once all before are settled.
#[inline(never)]
fn swaps(n: usize, key: &dyn Fn(usize) -> (i64, i64)) -> Vec<usize> {
    let mut out = crate::base::flat::order(n, &|a, b| key(a).cmp(&key(b)));
    for i in 0..n {
        // What stood at a settled place was swapped away from it.
        while out[i] < i {
            out[i] = out[out[i]];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::prng;

    #[test]
    fn it_is_the_stable_sort() {
        for n in [0, 1, 2, 3, 7, 64, 1_000] {
            let mut mine: Vec<(i64, u64)> = (0..n).map(|i| ((prng::answer(3, &[i]) % 10) as i64, i)).collect();
            let mut std = mine.clone();
            by_key(&mut mine, |p| (-p.0, 0));
            std.sort_by_key(|p| -p.0);
            assert_eq!(mine, std);
        }
    }
}
