//! A list of steps, with its blocks.

use super::*;
use crate::scenario::step::Action;
use crate::scenario::tree::Table;

/// Blocks inside blocks, at most.
const MAX_BLOCKS: usize = 8;

/// Reads a list of steps, or one.
///
/// # Errors
/// The first step that cannot be read, with its number.
pub fn steps(node: &Node) -> Result<Vec<Step>, Refusal> {
    nested_steps(node, 0)
}

fn nested_steps(node: &Node, depth: usize) -> Result<Vec<Step>, Refusal> {
    let mut out = Vec::new();
    for (i, item) in node.items().iter().enumerate() {
        let step = match &item.value {
            Value::Text(s) => Action::parse(s).map(Step::One).map_err(Refusal::from),
            Value::Table(_) if depth >= MAX_BLOCKS => Err(wrong("blocks are nested too deeply.")),
            Value::Table(t) => block(t, depth),
            _ => Err(wrong(format!(
                "a step is a text (\"work 1s\") or a block ({{ loop = 3, steps = […] }}), not {}.",
                item.kind()
            ))),
        };
        match step {
            Ok(s) => out.push(s),
            Err(r) => {
                // The number of the innermost step is the one that helps.
                let item = Some(r.item.unwrap_or(i));
                return Err(Refusal { item, ..r });
            }
        }
    }
    Ok(out)
}

fn block(t: &Table, depth: usize) -> Result<Step, Refusal> {
    if let Some(e) = t.entries.iter().find(|e| !["loop", "every", "steps"].contains(&e.key.as_str())) {
        return Err(wrong(format!("a block has no \"{}\". It has loop, steps and every.", e.key)));
    }
    let times = match t.get("loop").map(|n| &n.value) {
        Some(Value::Int(n)) if (1..=1_000_000).contains(n) => Some(*n as u32),
        Some(Value::Text(s)) if s == "forever" => None,
        Some(_) => return Err(wrong("loop is a number from 1, or \"forever\".")),
        None => return Err(wrong("a block says how often: { loop = 3, steps = […] }.")),
    };
    let every = match t.get("every") {
        None => None,
        Some(n) => match n.as_text() {
            Some(s) => Some(draw(s)?),
            None => return Err(no_unit(&n.to_string()).into()),
        },
    };
    let Some(list) = t.get("steps") else { return Err(wrong("a block without steps repeats nothing.")) };
    let steps = nested_steps(list, depth + 1)?;
    if steps.is_empty() {
        return Err(wrong("a block without steps repeats nothing."));
    }
    Ok(Step::Loop { times, every, steps })
}
