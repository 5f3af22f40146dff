// The npm package `redlock`, asked line by line: one JSON object in, one out, in any order, joined by `id`.
// Times are this process's `Date.now()`, which is the clock that the package itself counts by.
"use strict";
const { default: Redlock } = require("redlock");
const Redis = require("ioredis");

let clients = [];
let redlock;
const locks = new Map();

const deeds = {
  // New connections to these ports, and all of them ready. A server that is gone is an error at once, a silent one after `timeout` ms.
  async connect({ ports, timeout }) {
    clients.forEach((it) => it.disconnect());
    const options = { commandTimeout: timeout, maxRetriesPerRequest: 0, enableOfflineQueue: false, retryStrategy: () => null };
    clients = ports.map((port) => new Redis(port, "127.0.0.1", options));
    clients.forEach((it) => it.on("error", () => {}));
    await Promise.all(clients.map((it) => new Promise((ready) => it.once("ready", ready))));
    redlock = new Redlock(clients);
    return {};
  },
  async acquire({ key, ttl, settings }) {
    const before = Date.now();
    const acquiring = redlock.acquire([key], ttl, settings);
    // It has read the clock before it waited for anything.
    const after = Date.now();
    const lock = await acquiring;
    locks.set(key, lock);
    return { before, after, expiration: lock.expiration, now: Date.now(), tries: lock.attempts.length };
  },
  async extend({ key, ttl, settings }) {
    locks.set(key, await redlock.extend(locks.get(key), ttl, settings));
    return {};
  },
  async release({ key, settings }) {
    await redlock.release(locks.get(key), settings);
    return {};
  },
};

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", async (line) => {
    const { id, deed, ...rest } = JSON.parse(line);
    let answer;
    try {
      answer = { ok: true, ...(await deeds[deed](rest)) };
    } catch (error) {
      answer = { ok: false, error: `${error.name}: ${error.message}`, tries: error.attempts?.length };
    }
    process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`);
  })
  .on("close", () => process.exit());
