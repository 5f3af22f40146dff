// Unpacks what `cargo xtask dist` packed: a stream of the LZMA specification (LZMA SDK, "LZMA specification", draft version), with the
// size in its header, in which the program's code is sorted (xtask/src/sorted.rs). It is here because it is small: one kilobyte and a half,
// for which the page needs eighty less from every kind of server.
//
// Read the first part with the specification beside it: a range decoder, bit models of eleven bits, and a machine of twelve states.

const unpack = packed => inPlace(decoded(packed));

function decoded(packed) {
  const lc = packed[0] % 9, lp = (packed[0] / 9 | 0) % 5, pb = packed[0] / 45 | 0;
  const size = packed[5] | packed[6] << 8 | packed[7] << 16 | packed[8] << 24;
  const out = new Uint8Array(size);

  // The range decoder. Its first byte is always 0.
  let at = 14, range = 0xffffffff, code = 0;
  const shift = () => {
    range = range << 8 >>> 0;
    code = (code << 8 | packed[at++]) >>> 0;
  };
  for (let i = 0; i < 4; i++) code = (code << 8 | packed[at++]) >>> 0;
  const bit = (models, i) => {
    const model = models[i], bound = (range >>> 11) * model, one = code >= bound;
    if (one) {
      range -= bound;
      code -= bound;
      models[i] = model - (model >> 5);
    } else {
      range = bound;
      models[i] = model + (2048 - model >> 5);
    }
    if (range < 0x1000000) shift();
    return +one;
  };
  const directBits = n => {
    let value = 0;
    while (n--) {
      range >>>= 1;
      const one = code >= range;
      if (one) code -= range;
      value = value << 1 | one;
      if (range < 0x1000000) shift();
    }
    return value;
  };

  // Trees of bit models.
  const models = n => new Uint16Array(n).fill(1024);
  const tree = (m, from, bits) => {
    let node = 1;
    for (let i = 0; i < bits; i++) node = node << 1 | bit(m, from + node);
    return node - (1 << bits);
  };
  const reversed = (m, from, bits) => {
    let node = 1, value = 0;
    for (let i = 0; i < bits; i++) {
      const b = bit(m, from + node);
      node = node << 1 | b;
      value |= b << i;
    }
    return value;
  };
  const lengths = () => {
    const choice = models(2), low = models(128), mid = models(128), high = models(256);
    return place => bit(choice, 0)
      ? bit(choice, 1) ? 16 + tree(high, 0, 8) : 8 + tree(mid, place << 3, 3)
      : tree(low, place << 3, 3);
  };
  const matchLength = lengths(), repLength = lengths();
  const literals = models(768 << lc + lp), isMatch = models(192), isRep = models(12);
  const isRep0 = models(12), isRep1 = models(12), isRep2 = models(12), isRep0Long = models(192);
  const slots = models(256), special = models(128), align = models(16);

  let state = 0, rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0, n = 0;
  while (n < size) {
    const place = n & (1 << pb) - 1;
    if (!bit(isMatch, state << 4 | place)) {
      const before = n ? out[n - 1] : 0;
      const from = 768 * (((n & (1 << lp) - 1) << lc) + (before >> 8 - lc));
      let symbol = 1;
      if (state > 6) {
        // After a match: the byte that would have gone on with it helps to guess.
        let guess = out[n - rep0 - 1], same = true;
        while (same && symbol < 256) {
          const b = guess >> 7 & 1;
          guess <<= 1;
          const got = bit(literals, from + (1 + b << 8) + symbol);
          symbol = symbol << 1 | got;
          same = b == got;
        }
      }
      while (symbol < 256) symbol = symbol << 1 | bit(literals, from + symbol);
      out[n++] = symbol;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length;
    if (bit(isRep, state)) {
      if (!bit(isRep0, state)) {
        if (!bit(isRep0Long, state << 4 | place)) {
          state = state < 7 ? 9 : 11;
          out[n] = out[n - rep0 - 1];
          n++;
          continue;
        }
      } else {
        let distance = rep1;
        if (bit(isRep1, state)) {
          distance = rep2;
          if (bit(isRep2, state)) {
            distance = rep3;
            rep3 = rep2;
          }
          rep2 = rep1;
        }
        rep1 = rep0;
        rep0 = distance;
      }
      length = repLength(place);
      state = state < 7 ? 8 : 11;
    } else {
      rep3 = rep2;
      rep2 = rep1;
      rep1 = rep0;
      length = matchLength(place);
      state = state < 7 ? 7 : 10;
      const slot = tree(slots, Math.min(length, 3) << 6, 6);
      rep0 = slot;
      if (slot > 3) {
        const bits = (slot >> 1) - 1;
        rep0 = (2 | slot & 1) << bits;
        rep0 += slot < 14 ? reversed(special, rep0 - slot, bits) : (directBits(bits - 4) << 4) + reversed(align, 0, 4);
      }
    }
    for (length += 2; length--; n++) out[n] = out[n - rep0 - 1];
  }
  return out;
}

// Puts the code of a program, which came sorted by what its bytes mean, back in its place.
function inPlace(bytes) {
  const head = new Uint32Array(bytes.buffer, 0, 514), size = head[512], place = head[513];
  let rest = 2056;
  const at = Array.from(head.subarray(0, 512), length => (rest += length) - length);
  const out = new Uint8Array(size + 5);
  out.set(bytes.subarray(rest, rest + place));

  let n = place;
  const number = stream => {
    let value = 0, shift = 0, byte;
    do {
      byte = out[n++] = bytes[at[stream]++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return value;
  };
  const numbers = (count, stream) => {
    while (count--) number(stream);
  };
  for (let functions = number(1); functions--;) {
    // Its size stands before a function, and is known only behind it.
    const start = n += 5;
    numbers(2 * number(0), 0);
    for (let open = 1; open;) {
      const code = out[n++] = bytes[at[2]++], first = 2 * code;
      if (code > 1 && code < 5) open++;
      if (code == 0x0b) open--;
      if (code == 0x0e || code == 0x1c) numbers(number(first) + (code == 0x0e), first);
      else if (code == 0x43 || code == 0x44) for (let i = code == 0x43 ? 4 : 8; i--;) out[n++] = bytes[at[first]++];
      else if (code == 0xfc) numbers("000000002121212111"[number(first)], first + 1);
      else if (code == 0x11 || code == 0x13 || code > 0x27 && code < 0x3f) {
        number(first);
        number(first + 1);
      } else if (code > 1 && code < 5 || code == 0x0c || code == 0x0d || code == 0x10 || code == 0x12
        || code > 0x1f && code < 0x27 || code > 0x3e && code < 0x43 || code == 0xd0 || code == 0xd2) number(first);
    }
    let length = n - start;
    const end = n;
    for (n = start - 5; length > 127; length >>>= 7) out[n++] = length & 127 | 128;
    out[n++] = length;
    out.copyWithin(n, start, end);
    n += end - start;
  }
  out.set(bytes.subarray(rest + place), n);
  return out.subarray(0, size);
}
