// Starts the second program (src/bin/annex.rs), and carries jobs to it and answers back.
//
// The page loads this file with its first job (src/web/annex.rs); it offers annexAsk(number, job) and annexStop(), and calls
// annexHear([number, "", ...answer]), or [number, what went wrong, why]. The same file is the script of the worker. A worker is
// refused in some frames and by some policies: then it is started from a blob, and if that is refused too, jobs are done on the page.
//
// `cargo xtask dist` puts the program's glue and its unpacker before what stands here, and all of that into one file.

const page = self.document;
const here = page ? page.currentScript.src : self.annexAt || location.href;
const near = name => new URL(name, here).href;

// --- where jobs are done

// On a server for development the glue is a file of its own.
const load = src => page
  ? new Promise((done, failed) => page.body.append(Object.assign(page.createElement("script"), { src, onload: done, onerror: failed })))
  : importScripts(src);

const start = async () => {
  if (typeof wasm_bindgen == "undefined") await load(near("annex.js"));
  const reply = await fetch(near("annex_bg.wasm"));
  if (!reply.ok) throw reply.status;
  const bytes = new Uint8Array(await reply.arrayBuffer());
  await wasm_bindgen({ module_or_path: typeof unpack == "undefined" ? bytes : unpack(bytes) });
};

let started;
const answer = async (number, job) => {
  try {
    await (started ||= start());
  } catch (error) {
    started = 0;
    return [number, "unfetched", String(error)];
  }
  try {
    return [number, "", ...wasm_bindgen.answer(job)];
  } catch (error) {
    return [number, typeof error == "string" ? "refused" : "broken", String(error)];
  }
};

if (!page) {
  onmessage = async ({ data }) => postMessage(await answer(...data));
  // That it is there at all: what comes after this is about jobs.
  postMessage(0);
}

// --- where jobs come from

else {
  const ways = [
    () => new Worker(here),
    () => new Worker(URL.createObjectURL(new Blob([`annexAt=${JSON.stringify(here)};importScripts(annexAt)`]))),
  ];
  const waiting = new Map();
  let way = 0, worker, onPage = Promise.resolve();

  const tell = message => {
    if (!waiting.delete(message[0])) return;
    if (!worker) {
      // Perhaps the worker was not to be had because nothing was.
      if (message[1] == "unfetched") way = 0;
      // What broke on the page is begun anew with this file.
      if (message[1] == "broken") self.annexAsk = 0;
    } else if (message[1] == "broken") {
      end();
      for (const [number, job] of waiting) send(number, job);
    }
    annexHear(message);
  };

  const end = () => {
    worker?.terminate();
    worker = 0;
  };

  const begin = () => {
    while (!worker && way < ways.length) {
      try {
        const it = worker = ways[way]();
        let lives = false;
        it.onmessage = ({ data }) => {
          if (it != worker) return;
          lives = true;
          data && tell(data);
        };
        it.onerror = event => {
          event.preventDefault();
          if (it != worker) return;
          end();
          if (lives) for (const number of [...waiting.keys()]) tell([number, "broken", event.message || ""]);
          else {
            way++;
            for (const [number, job] of waiting) send(number, job);
          }
        };
      } catch {
        way++;
      }
    }
  };

  const send = (number, job) => {
    begin();
    if (worker) return worker.postMessage([number, job]);
    // One after the other, and the page breathes between them.
    onPage = onPage.then(() => new Promise(done => setTimeout(done, 20))).then(async () => {
      if (waiting.has(number)) tell(await answer(number, job));
    });
  };

  self.annexAsk = (number, job) => {
    waiting.set(number, job);
    send(number, job);
  };

  self.annexStop = () => {
    waiting.clear();
    end();
  };
}
