//! A list of steps, with its blocks.

use super::*;
use crate::scenario::step::Action;

/// Blocks inside blocks, at most.
const MAX_BLOCKS: usize = 8;

/// A block as it is written, for a sentence.
const BLOCK: &str = "{ loop = 3, steps = […] }";

/// Reads a list of steps, or one.
///
/// # Errors
/// The first step that cannot be read, with its number.
pub fn steps(node: &Node) -> Read<Vec<Step>> {
    nested_steps(node, 0)
}

fn nested_steps(node: &Node, depth: usize) -> Read<Vec<Step>> {
    let mut out = Vec::new();
    for (i, item) in node.items().iter().enumerate() {
        match step(item, depth) {
            Ok(s) => out.push(s),
            Err(mut problem) => {
                // The number of the innermost step is the one that helps.
                problem.item.get_or_insert(i);
                return Err(problem);
            }
        }
    }
    Ok(out)
}

fn step(item: &Node, depth: usize) -> Read<Step> {
    let t = match &item.value {
        Value::Text(s) => return Action::parse(s).map(Step::One),
        Value::Table(_) if depth >= MAX_BLOCKS => return Err(wrong("blocks are nested too deeply.", &[])),
        Value::Table(t) => t,
        _ => {
            let message = "a step is a text (\"work 1s\") or a block ({0}), not {1}.";
            return Err(wrong(message, &[BLOCK, item.kind()]));
        }
    };
    for e in &t.entries {
        if !["loop", "every", "steps"].contains(&e.key.as_str()) {
            return Err(wrong("a block has no \"{0}\". It has loop, steps and every.", &[&e.key]));
        }
    }
    let times = match t.get("loop").map(|n| &n.value) {
        Some(Value::Int(n)) if (1..=1_000_000).contains(n) => Some(*n as u32),
        Some(Value::Text(s)) if s == "forever" => None,
        Some(_) => return Err(wrong("loop is a number from 1, or \"forever\".", &[])),
        None => return Err(wrong("a block says how often: {0}.", &[BLOCK])),
    };
    let every = match t.get("every") {
        None => None,
        Some(n) => match n.as_text() {
            Some(s) => Some(draw(s)?),
            None => return Err(no_unit(&n.shown())),
        },
    };
    let steps = t.get("steps").map_or(Ok(Vec::new()), |list| nested_steps(list, depth + 1))?;
    if steps.is_empty() {
        return Err(wrong("a block without steps repeats nothing.", &[]));
    }
    Ok(Step::Loop { times, every, steps })
}
