// graphile-worker through its library; the same modes and lines as telling.py says.
import { createInterface } from "node:readline";
import { Logger, makeWorkerUtils, run, runMigrations } from "graphile-worker";

const BULK_ROWS = 1000;
const TELL_MS = 20;
const [mode, url, given] = process.argv.slice(2);
const options = JSON.parse(given);
const logger = new Logger(() => () => {});
const shared = { connectionString: url, logger, noHandleSignals: true };
const now = () => Number(process.hrtime.bigint());

function say(told) {
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

async function go() {
  const input = createInterface({ input: process.stdin });
  const asked = new Promise((resolve) => input.once("line", resolve));
  say({ ready: true });
  await asked;
  input.close();
}

async function work() {
  let count = 0;
  let last = 0;
  let delays = [];
  const stopped = new Promise((resolve) => process.once("SIGTERM", resolve));
  const nothing = async ({ sent }) => {
    count += 1;
    if (sent) delays.push((now() - sent) / 1e6);
  };
  await go();
  const tell = () => {
    if (count !== last) say({ count, delays_ms: delays });
    last = count;
    delays = [];
  };
  const telling = setInterval(tell, TELL_MS);
  const runner = await run({
    ...shared,
    taskList: { nothing },
    preset: { worker: options.worker },
  });
  await stopped;
  await runner.stop();
  clearInterval(telling);
  tell();
}

const enqueueing = {
  async single(utils) {
    const began = now();
    let count = 0;
    while (now() - began < options.seconds * 1e9) {
      await utils.addJob("nothing", { sent: 0 });
      count += 1;
    }
    return { count, seconds: (now() - began) / 1e9 };
  },
  async bulk(utils) {
    const began = now();
    for (let left = options.count; left > 0; left -= BULK_ROWS) {
      const rows = Array.from({ length: Math.min(left, BULK_ROWS) }, () => ({
        identifier: "nothing",
        payload: { sent: 0 },
      }));
      await utils.addJobs(rows);
    }
    return { count: options.count, seconds: (now() - began) / 1e9 };
  },
  async paced(utils) {
    const began = now();
    for (let number = 0; number < options.count; number += 1) {
      const wait = began / 1e6 + (1000 * number) / options.rate - now() / 1e6;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
      await utils.addJob("nothing", { sent: now() });
    }
    return { count: options.count, seconds: (now() - began) / 1e9 };
  },
};

async function enqueue() {
  const utils = await makeWorkerUtils(shared);
  await utils.addJob("nothing", { sent: 0 });
  await go();
  const told = await enqueueing[mode](utils);
  await utils.release();
  say({ ...told, ended: true });
}

if (mode === "install") await runMigrations(shared);
else if (mode === "work") await work();
else await enqueue();
process.exit(0);
