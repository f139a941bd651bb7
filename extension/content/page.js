/**
 * The extension's side of a page: it runs the form engine when the worker asks, and tells the worker what became
 * of it. It knows no server and holds no secret; it answers the extension's own worker only.
 */

import { hasInvalidField, messagesIn } from "../form/complaints.js";
import { confirmationOn } from "../form/confirmation.js";
import { Engine } from "../form/engine.js";
import { titleOf } from "../form/native.js";
import { pace } from "../form/pace.js";
import { postingOn } from "../form/posting.js";
import { holdsApplication, SubmissionWatch } from "../form/submission.js";
import { planned, toPage } from "../messages.js";
import { patternFor } from "../platforms.js";
import { Learning } from "./learning.js";

/** @import { Description, Outcome } from "../form/types.d.ts" */
/** @import { Of } from "../messages.js" */

/** Fills and undoings that are under way. */
let writing = 0;
const life = new AbortController();
const engine = new Engine(document, {}, { shadow_root_of: shadowRootOf });
const learning = new Learning(document, {
  changed: (keys) => tell({ type: "changed", keys }),
  grown: (fresh) => tell({ type: "grown", fresh }),
}, life.signal);
engine.watchSteps(() => learning.lookSoon());

new SubmissionWatch(document, {
  seen: (posting) => tell({ type: "submit_seen", url: address(), submitted_at: now(), ...posting }),
  judged: (verdict, text) => tell({ type: "submit_verdict", verdict, text }),
}, pace(life.signal));

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  if (sender.id !== chrome.runtime.id || sender.tab) return false;
  answer(heed(toPage(message)));
  return false;
});

/**
 * @param {Of<typeof toPage>} message
 * @returns {object} the answer
 */
function heed(message) {
  switch (message.type) {
    case "describe":
      return describe();
    case "fill":
      void fill(message);
      return {};
    case "undo":
      void whileWriting(engine.undo(tellOutcome)).then(() => tell({ type: "done", of: "undo" }));
      return {};
    case "stop":
      engine.stop();
      return {};
    case "pause":
      engine.pause(message.on);
      return {};
    case "busy":
      return { is_busy: writing > 0 };
    case "show":
      engine.show(message.key);
      return {};
    case "entered":
      return { given: learning.entered(message.keys) };
    case "posting":
      return { url: address(), ...postingOn(document) };
    case "arrived":
      return {
        confirmation: confirmationOn(document, null),
        has_form: holdsApplication(document),
        has_errors: hasInvalidField(document) || messagesIn(document).length > 0,
        url: address(),
      };
  }
}

/**
 * Content scripts may look into closed shadow roots: Chromium by a function, Firefox by a property.
 * @param {Element} element
 * @returns {ShadowRoot | null}
 */
function shadowRootOf(element) {
  const own = /** @type {Element & { openOrClosedShadowRoot?: ShadowRoot | null }} */ (element);
  if (own.openOrClosedShadowRoot !== undefined) return own.openOrClosedShadowRoot;
  const { dom } = /** @type {{ dom?: typeof chrome.dom }} */ (chrome);
  return element instanceof HTMLElement ? (dom?.openOrClosedShadowRoot(element) ?? null) : null;
}

function describe() {
  const { fields, beyond } = engine.read();
  learning.described(fields);
  return { fields, beyond, url: address(), page_title: titleOf(document).slice(0, 1000), closed_frames: closedFrames() };
}

/**
 * An update of the extension in the middle ends the writing: another instance may be asked next.
 * @template T
 * @param {Promise<T>} act
 * @returns {Promise<T>}
 */
async function whileWriting(act) {
  writing += 1;
  const timer = setInterval(isAlone, 250);
  try {
    return await act;
  } finally {
    clearInterval(timer);
    writing -= 1;
  }
}

/** @param {Extract<Of<typeof toPage>, { type: "fill" }>} message */
async function fill({ lines, documents }) {
  learning.planned(lines);
  const files = new Map(documents.map((one) => [one.id, asFile(one)]));
  const { later } = await whileWriting(engine.fill(lines, files, tellOutcome, async (fields, isTried = false) => {
    const more = await askMore(fields, isTried);
    if (isTried) return more.lines;
    learning.described(fields);
    learning.planned(more.lines);
    for (const one of more.documents) files.set(one.id, asFile(one));
    return more.lines;
  }));
  tell({ type: "done", of: "fill" });
  await later;
  tell({ type: "done", of: "watch" });
}

/**
 * @param {Description[]} fields
 * @param {boolean} isTried
 * @returns {Promise<ReturnType<typeof planned>>} nothing where the server is away or the worker ended
 */
async function askMore(fields, isTried) {
  try {
    return planned(await chrome.runtime.sendMessage({ type: "more", fields, is_tried: isTried }));
  } catch {
    return { lines: [], documents: [] };
  }
}

/** @param {{ name: string, type: string, base64: string }} document */
function asFile({ name, type, base64 }) {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return new File([bytes], name, { type });
}

/** Frames of hiring platforms from elsewhere, which a click on the toolbar does not open to us. */
function closedFrames() {
  const frames = [...document.querySelectorAll("iframe[src]")].map((one) => /** @type {HTMLIFrameElement} */ (one).src);
  const other = frames.filter((src) => URL.canParse(src) && new URL(src).origin !== location.origin);
  return [...new Set(other.flatMap((src) => patternFor(src) ?? []))].slice(0, 20);
}

/** @param {Outcome} outcome */
function tellOutcome(outcome) {
  tell({ type: "outcomes", outcomes: [outcome] });
}

/** A page outlives an update of the extension; then there is nobody to tell, and it lets go. */
function isAlone() {
  if (chrome.runtime?.id) return false;
  life.abort();
  engine.close();
  return true;
}

/** @param {object} message */
function tell(message) {
  if (isAlone()) return;
  chrome.runtime.sendMessage(message).catch(() => undefined); // the worker keeps what it needs; nobody else listens
}

/** Some pages keep a whole state in their address; no message carries more than a server takes. */
function address() {
  return location.href.slice(0, 4096);
}

function now() {
  return new Date().toISOString();
}
