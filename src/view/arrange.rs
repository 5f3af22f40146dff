//! Participants as somebody wants to see them: some hidden, in another order. A lane is known by its name, which is the same in every
//! column; what stands on a hidden lane, or leads to it, is not drawn. The run and its events stay what they are.

use super::lanes::{Lane, LaneKind};
use super::sequence::Sequence;

/// Names of lanes, by [`key`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arrange {
    pub hidden: Vec<String>,
    /// From the left; lanes that are not named keep their places among themselves, at the right.
    pub order: Vec<String>,
}

/// What a lane is called here: services differ from design to design, and are one participant.
pub fn key(lane: &Lane) -> &str {
    key_of(lane.kind, &lane.name)
}

/// The same, of a lane that has been drawn.
pub fn key_of(kind: LaneKind, name: &str) -> &str {
    match kind {
        LaneKind::Group => "lock",
        LaneKind::Lock if name == "lock service" => "lock",
        _ => name,
    }
}

impl Arrange {
    pub fn hides(&self, lane: &Lane) -> bool {
        self.hidden.iter().any(|h| h == key(lane))
    }
}

/// Puts the lanes of a sequence in order, and takes out what is hidden. One lane always stays.
pub fn arrange(seq: &mut Sequence, to: &Arrange) {
    let lanes = &seq.lanes.lanes;
    if to.hidden.is_empty() && to.order.is_empty() || lanes.iter().all(|l| to.hides(l)) {
        return;
    }
    let n = lanes.len();
    let place = |lane: &Lane| to.order.iter().position(|o| o == key(lane)).unwrap_or(to.order.len()) as i64;
    let mut order: Vec<usize> = (0..n).collect();
    super::order::by_key(&mut order, |i| (i64::from(to.hides(&lanes[*i])), place(&lanes[*i])));
    let seen = lanes.iter().filter(|l| !to.hides(l)).count();
    // By old lane: the new one; hidden ones come last.
    let mut new = vec![0; n];
    for (i, old) in order.iter().enumerate() {
        new[*old] = i;
    }
    seq.lanes.reorder(&order, &new, seen);
    let at = |lane: &mut usize| {
        *lane = new.get(*lane).copied().unwrap_or(n);
        *lane < seen
    };
    seq.arrows.retain_mut(|a| at(&mut a.from) & at(&mut a.to));
    seq.bars.retain_mut(|b| at(&mut b.lane));
    seq.pauses.retain_mut(|p| at(&mut p.lane));
    seq.downs.retain_mut(|d| at(&mut d.lane));
    seq.values.retain_mut(|v| at(&mut v.lane));
    seq.clocks.retain_mut(|c| at(&mut c.lane));
    seq.ballots.retain_mut(|b| at(&mut b.lane));
    seq.stalls.retain_mut(|s| at(&mut s.lane));
    seq.folds.retain_mut(|f| at(&mut f.lane));
    seq.cuts.retain_mut(|c| at(&mut c.a) & at(&mut c.b));
    for c in &mut seq.cuts {
        (c.a, c.b) = (c.a.min(c.b), c.a.max(c.b));
    }
    for z in &mut seq.zones {
        if !at(&mut z.first) {
            z.first = 0;
        }
    }
    let lanes = &seq.lanes;
    seq.moments.retain(|m| lanes.lane(m.node) < seen);
}
