/**
 * The extension's side of a page: it runs the form engine when the worker asks, and tells the worker what became
 * of it. It knows no server and holds no secret; it answers the extension's own worker only.
 */

import { hasInvalidField, messagesIn } from "../form/complaints.js";
import { confirmationOn } from "../form/confirmation.js";
import { Engine } from "../form/engine.js";
import { pace } from "../form/pace.js";
import { postingOn } from "../form/posting.js";
import { holdsApplication, SubmissionWatch } from "../form/submission.js";
import { toPage } from "../messages.js";
import { patternFor } from "../platforms.js";

/** @import { Outcome } from "../form/types.d.ts" */
/** @import { Of } from "../messages.js" */

const life = new AbortController();
const engine = new Engine(document);

new SubmissionWatch(document, {
  seen: () => tell({ type: "submit_seen", url: location.href, submitted_at: now(), ...postingOn(document) }),
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
      return { fields: engine.describe(), url: location.href, page_title: document.title.slice(0, 1000), closed_frames: closedFrames() };
    case "fill":
      void fill(message);
      return {};
    case "undo":
      void engine.undo(tellOutcome).then(() => tell({ type: "done", of: "undo" }));
      return {};
    case "stop":
      engine.stop();
      return {};
    case "show":
      engine.show(message.key);
      return {};
    case "arrived":
      return {
        confirmation: confirmationOn(document, null),
        has_form: holdsApplication(document),
        has_errors: hasInvalidField(document) || messagesIn(document).length > 0,
        url: location.href,
      };
  }
}

/** @param {Extract<Of<typeof toPage>, { type: "fill" }>} message */
async function fill({ lines, documents }) {
  const files = new Map(documents.map((one) => [one.id, asFile(one)]));
  const { later } = await engine.fill(lines, files, tellOutcome);
  tell({ type: "done", of: "fill" });
  await later;
  tell({ type: "done", of: "watch" });
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

/**
 * A page outlives an update of the extension; then there is nobody to tell, and it lets go.
 * @param {object} message
 */
function tell(message) {
  if (!chrome.runtime?.id) {
    life.abort();
    engine.close();
    return;
  }
  chrome.runtime.sendMessage(message).catch(() => undefined); // the worker keeps what it needs; nobody else listens
}

function now() {
  return new Date().toISOString();
}
