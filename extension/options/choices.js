/** The lower half of the settings page: what is ticked by itself, sites to stay away from, language, shortcut. */

import { connection, onConnectionChange } from "../connection.js";
import { choose, hostOf, setSite, settings } from "../settings.js";
import { chooseWords } from "../tongue.js";
import { say } from "../words.js";

/** @import { Settings } from "../types.d.ts" */

const language = /** @type {HTMLSelectElement} */ (part("language"));
const boxes = /** @type {HTMLInputElement[]} */ ([...part("ticks").querySelectorAll("input")]);
const site = /** @type {HTMLInputElement} */ (part("site"));

part("site-form").addEventListener("submit", (event) => {
  event.preventDefault();
  void switchOff(site.value.trim());
});
part("shortcuts").addEventListener("click", () => void openShortcuts());

await chooseWords();
const { ticked, language: now } = await settings();
language.value = now;
for (const box of boxes) box.checked = ticked[/** @type {keyof Settings["ticked"]} */ (box.value)];

language.addEventListener("change", () => {
  void choose({ language: /** @type {Settings["language"]} */ (language.value) }).then(() => location.reload());
});
part("ticks").addEventListener("change", () => {
  const chosen = Object.fromEntries(boxes.map((box) => [box.value, box.checked]));
  void choose({ ticked: /** @type {Settings["ticked"]} */ (chosen) });
});
onConnectionChange(() => void drawLink());

await drawSites();
await drawLink();
await drawShortcut();

/** @param {string} typed */
async function switchOff(typed) {
  const host = hostOf(/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`);
  site.toggleAttribute("aria-invalid", false);
  if (host === "") return site.setAttribute("aria-invalid", "true");
  site.value = "";
  await setSite(host, false);
  await drawSites();
}

async function drawSites() {
  const { off } = await settings();
  part("sites").replaceChildren(...off.map(siteRow));
}

/** @param {string} host */
function siteRow(host) {
  const row = document.createElement("li");
  const on = document.createElement("button");
  on.type = "button";
  on.textContent = say("site_on");
  on.setAttribute("aria-label", `${say("site_on")}: ${host}`);
  on.addEventListener("click", () => void setSite(host, true).then(drawSites).then(() => site.focus()));
  row.append(host, on);
  return row;
}

async function drawLink() {
  const { server, token } = await connection();
  part("remembered-section").hidden = token === null;
  part("answers").setAttribute("href", `${server}/answers`);
}

async function drawShortcut() {
  const all = await chrome.commands.getAll();
  part("shortcut").textContent = all.find(({ name }) => name === "_execute_action")?.shortcut || say("shortcut_none");
}

/** Each browser has a page of its own for it. */
async function openShortcuts() {
  const { commands } = /** @type {{ commands: { openShortcutSettings?: () => Promise<void> } }} */ (/** @type {unknown} */ (chrome));
  if (commands.openShortcutSettings) await commands.openShortcutSettings();
  else await chrome.tabs.create({ url: "chrome://extensions/shortcuts" });
}

/** @param {string} id */
function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}
