// Starts the second program (src/bin/annex.rs), and carries jobs to it and answers back.
//
// The page loads this file with its first job (src/web/annex.rs); it offers annexAsk(number, job, lane), annexStop(lane), which stops that lane
// and those after it, and annexHere, which is true where jobs are done on the page; and it calls
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
  // By lane: the worker, and what it has not answered yet.
  const lanes = [];
  const laneOf = lane => lanes[lane] ||= { waiting: new Map() };
  let way = 0, onPage = Promise.resolve();

  const tell = (it, message) => {
    if (!it.waiting.delete(message[0])) return;
    if (!it.worker) {
      // Perhaps the worker was not to be had because nothing was.
      if (message[1] == "unfetched") way = 0;
      // What broke on the page is begun anew with this file.
      if (message[1] == "broken") self.annexAsk = 0;
    } else if (message[1] == "broken") {
      end(it);
      again(it);
    }
    annexHear(message);
  };

  const end = it => {
    it.worker?.terminate();
    it.worker = 0;
  };

  const again = it => {
    for (const [number, job] of it.waiting) send(it, number, job);
  };

  const begin = it => {
    while (!it.worker && way < ways.length) {
      const mine = way;
      try {
        const worker = it.worker = ways[way]();
        let lives = false;
        worker.onmessage = ({ data }) => {
          if (worker != it.worker) return;
          lives = true;
          data && tell(it, data);
        };
        worker.onerror = event => {
          event.preventDefault();
          if (worker != it.worker) return;
          end(it);
          if (lives) for (const number of [...it.waiting.keys()]) tell(it, [number, "broken", event.message || ""]);
          else {
            // Several lanes may find the same way closed.
            if (way == mine) way++;
            again(it);
          }
        };
      } catch {
        way++;
      }
    }
  };

  const send = (it, number, job) => {
    begin(it);
    self.annexHere = !it.worker;
    if (it.worker) return it.worker.postMessage([number, job]);
    // One after the other, and the page breathes between them.
    onPage = onPage.then(() => new Promise(done => setTimeout(done, 20))).then(async () => {
      if (it.waiting.has(number)) tell(it, await answer(number, job));
    });
  };

  self.annexAsk = (number, job, lane) => {
    const it = laneOf(lane);
    it.waiting.set(number, job);
    send(it, number, job);
  };

  self.annexStop = lane => {
    for (const it of lanes.slice(lane)) if (it) {
      it.waiting.clear();
      end(it);
    }
    // A worker ends with all that it has; the page stays.
    if (self.annexHere && started) started.then(() => wasm_bindgen.forget(), () => 0);
  };
}
