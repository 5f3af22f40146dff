//! Leaf vocabulary: time, clocks, names, tokens, messages. Depends on nothing.
