/**
 * The panel beside a form, or as a page of its own with `?tab=`: shows the plan before anything is written, what
 * became of each field after, and what went wrong. It keeps nothing; all it shows is the tab's state.
 */

import { connection, onConnectionChange } from "../connection.js";
import { waiting } from "../outbox.js";
import { settings } from "../settings.js";
import { EMPTY, freshIn, keyOf, stateOf } from "../state.js";
import { chooseWords } from "../tongue.js";
import { say, sayFirst, translate } from "../words.js";
import { drawDrafts } from "./drafts.js";
import { acceptedKeys, drawFields, skippedKeys } from "./draw.js";
import { element, part } from "./element.js";
import { drawKnown } from "./known.js";
import { chosenScope, drawLearning, tickedKeys } from "./learning.js";

/** @import { Of, fromPanel } from "../messages.js" */
/** @import { Submission, TabState } from "../types.d.ts" */

const AGAIN_EVERY_MS = 3000;
const RECENT_MS = 10 * 60 * 1000;
const NEEDS_SETTINGS = new Set(["not_paired", "device_revoked", "device_unknown", "wrong_origin", "not_jobtrail"]);

const tab = await tabOfPanel();
/** @type {TabState} */
let state = EMPTY;
let mustRefocus = false;
/** Reports or receipts wait for the server: also such as a worker that ended never came to send. */
let mustDeliver = false;

await chooseWords();
translate(document);
part("read").addEventListener("click", () => ask({ type: "read", tab }));
part("fill").addEventListener("click", () => ask({ type: "fill", tab, skipped: skippedKeys(), accepted: acceptedKeys() }));
part("stop").addEventListener("click", () => ask({ type: "stop", tab }));
part("pause").addEventListener("click", () => ask({ type: "pause", tab, on: !state.is_paused }));
part("undo").addEventListener("click", () => ask({ type: "undo", tab }));
part("read-fresh").addEventListener("click", () => ask({ type: "read", tab }));
part("turn-on").addEventListener("click", () => ask({ type: "turn_on", tab }));
part("save").addEventListener("click", () => ask({ type: "save", tab }));
part("remember").addEventListener("click", () => {
  ask({ type: "remember", tab, keys: tickedKeys(), scope: chosenScope() });
});
for (const id of ["suggested", "planned"]) part(id).addEventListener("change", drawStatus);
part("again").addEventListener("click", () => ask({ type: "tick", tab }));
part("settings").addEventListener("click", () => chrome.runtime.openOptionsPage());
part("allow").addEventListener("click", () => void allow(state.closed_frames));
chrome.storage.session.onChanged.addListener((changes) => {
  if (keyOf(tab) in changes) void refresh();
});
chrome.storage.local.onChanged.addListener((changes) => {
  if ("submissions" in changes) void refreshQuestions();
  if ("outbox" in changes) void refreshWaiting();
});
onConnectionChange(() => ask({ type: "tick", tab }));
setInterval(() => {
  if (state.trouble?.code === "server_gone" || mustDeliver || isWriting() || isBusy()) ask({ type: "tick", tab });
}, AGAIN_EVERY_MS);

await refresh();
await refreshQuestions();
await refreshWaiting();
ask({ type: "tick", tab });

/** @returns {Promise<number>} the tab this panel is about */
async function tabOfPanel() {
  const named = Number(new URL(location.href).searchParams.get("tab") ?? "0");
  if (named > 0) return named;
  const [active] = await chrome.tabs.query({ active: true, currentWindow: true });
  return active?.id ?? 0;
}

/**
 * A worker that ended with the message in its hands hears it once more; when the extension was updated under us
 * there is nobody to hear it.
 * @param {Of<typeof fromPanel>} message
 */
function ask(message) {
  const tell = () => chrome.runtime.sendMessage(message);
  tell().catch(() => (chrome.runtime?.id ? tell() : Promise.reject())).catch(() => location.reload());
}

/**
 * The browser asks the person; only a press in the panel may lead here.
 * @param {string[]} patterns
 */
async function allow(patterns) {
  if (await chrome.permissions.request({ origins: patterns })) ask({ type: "read", tab });
}

/** A fill or an undoing is under way; should nobody be writing any more, that is noticed by asking. */
function isBusy() {
  return state.phase === "filling" || state.phase === "undoing";
}

function isWriting() {
  return Object.values(state.drafts).some(({ draft }) => draft.state === "writing");
}

async function refresh() {
  state = await stateOf(tab);
  const { phase, fields, trouble } = state;
  const show = (/** @type {string} */ key) => ask({ type: "show", tab, key });
  drawKnown(state);
  drawFields(state, await settings(), show);
  drawDrafts(tab, state, ask);
  drawLearning(state, show);
  drawStatus();
  drawButton("pause", phase === "filling", say(state.is_paused ? "go_on" : "pause"));
  drawButton("stop", phase === "filling", say("stop"));
  drawButton("undo", phase === "filled", say("undo"));
  drawButton("read", phase !== "filling" && phase !== "undoing", say(fields.length ? "read_again" : "read"));
  part("read").classList.toggle("main", fields.length === 0);
  refocus();
  const fresh = freshIn(state);
  part("grown").hidden = fresh === 0 || phase === "reading";
  part("grown-words").textContent = say(fresh === 1 ? "grown_one" : "grown", fresh);
  part("beyond").hidden = state.beyond === 0;
  part("beyond").textContent = state.beyond > 0 ? say("beyond", state.beyond, fields.length) : "";
  await drawTrouble(trouble?.code ?? null, trouble?.detail ?? "");
  part("closed").hidden = state.closed_frames.length === 0 || fields.length > 0;
  part("allow").textContent = say("allow", hostsOf(state.closed_frames));
}

/** What pressing Fill would do now, by the ticks as they stand. */
function drawStatus() {
  const isOpen = state.phase === "ready" || state.phase === "filled";
  const planned = state.fields.filter((field) => field.plan.action === "fill").length;
  const toFill = planned - skippedKeys().length + acceptedKeys().length;
  const words = statusWords(toFill);
  if (part("status").textContent !== words) part("status").textContent = words;
  drawButton("fill", isOpen && toFill > 0, say(state.phase === "filled" ? "fill_again" : "fill", toFill));
}

/** @param {number} toFill */
function statusWords(toFill) {
  const { phase, fields, trouble } = state;
  const done = fields.filter((field) => field.outcome === "filled" || field.outcome === "already").length;
  if (phase === "reading") return trouble ? "" : say("status_reading");
  if (phase === "ready") return say("status_ready", toFill, fields.length - toFill);
  if (phase === "filling") return say(state.is_paused ? "status_paused" : "status_filling");
  if (phase === "undoing") return say("status_undoing");
  if (phase === "filled") return say("status_filled", done, Math.max(done, toFill));
  return trouble ? "" : say("status_idle");
}

/**
 * @param {string} id
 * @param {boolean} isShown
 * @param {string} words
 */
function drawButton(id, isShown, words) {
  const button = part(id);
  const losesFocus = !isShown && document.activeElement === button;
  button.hidden = !isShown;
  if (button.textContent !== words) button.textContent = words;
  if (losesFocus) mustRefocus = true;
}

/** A pressed button that goes away must not take the focus with it. */
function refocus() {
  if (!mustRefocus) return;
  mustRefocus = false;
  const next = part("actions").querySelector("button:not([hidden])");
  if (next instanceof HTMLElement) next.focus();
}

/**
 * @param {string | null} code
 * @param {string} detail
 */
async function drawTrouble(code, detail) {
  const { server } = await connection();
  const words = code ? say(`trouble_${code}`, server) || detail || say("trouble_other", code) : "";
  if (part("trouble-words").textContent !== words) part("trouble-words").textContent = words;
  part("trouble").hidden = !code;
  part("again").hidden = code !== "server_gone";
  part("turn-on").hidden = code !== "switched_off";
  part("settings").hidden = !code || !NEEDS_SETTINGS.has(code);
}

async function refreshWaiting() {
  mustDeliver = (await waiting()).length > 0;
}

async function refreshQuestions() {
  const stored = await chrome.storage.local.get("submissions");
  const all = /** @type {Submission[]} */ (stored["submissions"] ?? []);
  const isRecent = (/** @type {Submission} */ one) => Date.now() - Date.parse(one.submitted_at) < RECENT_MS;
  const shown = all.filter((one) => one.step === "asked" || (one.tab === tab && isRecent(one)));
  part("questions").replaceChildren(...shown.map(submissionBox));
}

/** @param {Submission} one */
function submissionBox(one) {
  const title = one.title ?? one.url;
  const words = sayFirst([`submission_${one.step}_${one.evidence}`, `submission_${one.step}`], "");
  const box = element("div", { class: "notice", role: "status" }, element("p", {}, `${title}: ${words}`));
  if (one.step === "asked") {
    const answers = [answerButton(one, true), answerButton(one, false)];
    box.append(element("div", { class: "row" }, ...answers));
  }
  return box;
}

/**
 * @param {Submission} one
 * @param {boolean} yes
 */
function answerButton(one, yes) {
  const button = element("button", { type: "button" }, say(yes ? "sent_yes" : "sent_no"));
  button.addEventListener("click", () => ask({ type: "sent", tab, fill_id: one.fill_id, yes }));
  return button;
}

/** @param {string[]} patterns */
function hostsOf(patterns) {
  return patterns.map((pattern) => pattern.replace(/^https:\/\/\*\.|\/\*$/g, "")).join(", ");
}
