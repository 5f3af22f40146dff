// The rest of the program (xtask/src/split.rs): what the first view does not need. It is fetched at the first sign that somebody is there,
// or at once, if another story than the first is to be opened. Should the program come to one of its functions before it has come, the
// page waits for it: a request that stops everything else, which nobody should meet who moves a hand first.

const restAt = "rest.wasm.lzma";
let rest, restSought;

const seekRest = () => restSought ||= fetch(restAt)
  .then(reply => reply.ok && reply.arrayBuffer())
  .then(bytes => bytes && WebAssembly.compile(unpack(new Uint8Array(bytes))))
  .then(program => rest ||= program)
  // Whoever needs it will see what is wrong.
  .catch(() => restSought = 0);

const awaitRest = () => {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", restAt, false);
    // Bytes as letters: of an answer that is waited for, browsers give nothing else.
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
  } catch {}
  if (request.status != 200) throw Object.assign(new WebAssembly.RuntimeError(restAt + ": " + (request.status || "no answer")), { unfetched: 1 });
  return new WebAssembly.Module(unpack(Uint8Array.from(request.responseText, letter => letter.charCodeAt() & 255)));
};

// The program calls this with what it offers.
globalThis.joinRest = first => new WebAssembly.Instance(rest ||= awaitRest(), { first });

for (const sign of ["pointermove", "pointerdown", "keydown", "focusin"]) addEventListener(sign, seekRest, { capture: true, once: true });

let another = location.hash.length > 1;
try {
  another ||= localStorage.getItem("fencepost.text");
} catch {}
if (another) await seekRest();
