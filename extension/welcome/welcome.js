/** The first page after installing: what the extension does, pairing, the first form. Each step can be skipped. */

import { connection, onConnectionChange } from "../connection.js";
import { chooseWords } from "../tongue.js";
import { say, translate } from "../words.js";

const steps = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".step")]);
let at = 0;

await chooseWords();
translate(document);
document.title = say("welcome_title");
part("next").addEventListener("click", () => void turnTo(at + 1));
part("skip").addEventListener("click", () => void close());
part("pair").addEventListener("click", () => void chrome.runtime.openOptionsPage());
onConnectionChange(() => void drawPaired());
const all = await chrome.commands.getAll();
part("shortcut").textContent = all.find(({ name }) => name === "_execute_action")?.shortcut || say("shortcut_none");
await drawPaired();
draw();

/** @param {number} step */
async function turnTo(step) {
  if (step >= steps.length) return close();
  at = step;
  draw();
  steps[at]?.querySelector("h2")?.focus();
}

function draw() {
  for (const [n, step] of steps.entries()) step.hidden = n !== at;
  part("step").textContent = say("welcome_step", at + 1, steps.length);
  part("next").textContent = say(at === steps.length - 1 ? "welcome_done" : "welcome_next");
  part("skip").hidden = at === steps.length - 1;
}

async function drawPaired() {
  const { token, account_name, server, device_name } = await connection();
  part("paired").textContent = token === null ? say("state_unpaired") : say("state_paired", device_name, account_name, server);
}

async function close() {
  const tab = await chrome.tabs.getCurrent();
  if (tab?.id !== undefined) await chrome.tabs.remove(tab.id);
}

/** @param {string} id */
function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}
