/**
 * Recognises the person's own submit of the application form, and what the page made of it.
 *
 * A script can make the browser send a trusted submit event, so the event alone proves nothing: it counts when a
 * press or key of the person in this form stands right before it. After it the page is watched. It confirms; or
 * it marks something as wrong, and then nothing was sent; or it took the submit and settled without complaint,
 * which is weaker and said to be so. Where no submit event follows the press, only a confirmation or the person's
 * word will do.
 */

import { collect } from "./collect.js";
import { hasInvalidField, messagesIn } from "./complaints.js";
import { Before, confirmationOn } from "./confirmation.js";
import { settled, until } from "./pace.js";
import { postingOn } from "./posting.js";
import { closest } from "./walk.js";
import { plain } from "./words.js";

/** @import { PostingFacts } from "../types.d.ts" */
/** @import { Pace } from "./types.d.ts" */

/**
 * @typedef {"confirmation_page" | "trusted_submit" | "refused_by_page" | "unclear"} Verdict
 * @typedef {{ verdict: Verdict, text: string }} Judgement
 * @typedef {object} Reporter
 * @property {(posting: PostingFacts) => void} seen told at once: the page may be gone a moment later
 * @property {(verdict: Verdict, text: string) => void} judged told again when an answer comes late
 * @typedef {object} Watched taken before the page's own handlers run: some answer in the same moment
 * @property {SubmitEvent | null} event null for a press that sends by script
 * @property {ParentNode} where
 * @property {PostingFacts} posting
 * @property {Before} before
 * @property {string[]} messages what was complained of already
 */

const RIGHT_BEFORE_MS = 5000;
const SENDING = /^(?:submit|send|apply|absenden|senden|abschicken|(?:jetzt )?bewerb(?:en|ung))/;
const BUTTONS = 'button, [role="button"], input[type="submit"], input[type="button"]';

/** @type {Judgement} */
const TAKEN = { verdict: "trusted_submit", text: "The page took the submit and marked no field as wrong." };
/** @type {Judgement} */
const SENT = { verdict: "trusted_submit", text: "The browser sent the form and no field was marked as wrong." };
/** @type {Judgement} */
const REFUSED = { verdict: "refused_by_page", text: "" };
/** @type {Judgement} */
const UNCLEAR = { verdict: "unclear", text: "" };

export class SubmissionWatch {
  #page;
  #reporter;
  #pace;
  /** @type {{ at: number, path: EventTarget[] }} */
  #act = { at: -Infinity, path: [] };
  #submitAt = -Infinity;
  #watching = new AbortController();
  /** A wizard ends on a page that only shows what was written: nothing is left there to be an application. */
  #hasHeld = false;

  /**
   * @param {Document} page
   * @param {Reporter} reporter
   * @param {Pace} pace
   */
  constructor(page, reporter, pace) {
    this.#page = page;
    this.#reporter = reporter;
    this.#pace = pace;
    const how = { capture: true, passive: true, signal: pace.signal };
    page.addEventListener("click", (event) => this.#pressed(event), how);
    page.addEventListener("keydown", (event) => this.#key(event), how);
    page.addEventListener("submit", (event) => this.#submitted(event), how);
  }

  /** @param {MouseEvent} event */
  #pressed(event) {
    if (!event.isTrusted) return;
    const at = this.#note(event);
    const button = event.composedPath().find((one) => one instanceof HTMLElement && one.matches(BUTTONS));
    if (!(button instanceof HTMLElement)) return;
    this.#hasHeld ||= holdsApplication(this.#page);
    if (!isSending(button) || closest(button, "form:invalid:not([novalidate])")) return;
    if (!this.#hasHeld) return;
    const watched = this.#watched(null, this.#page);
    setTimeout(() => {
      if (this.#submitAt < at) void this.#follow(watched);
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isTrusted && (event.key === "Enter" || event.key === " ")) this.#note(event);
  }

  /** @param {Event} event */
  #note(event) {
    this.#act = { at: performance.now(), path: event.composedPath() };
    return this.#act.at;
  }

  /** @param {SubmitEvent} event */
  #submitted(event) {
    this.#submitAt = performance.now();
    const form = event.composedPath()[0];
    if (!event.isTrusted || !(form instanceof HTMLFormElement) || !this.#byPerson(form, event.submitter)) return;
    if (holdsApplication(form)) void this.#follow(this.#watched(event, form));
  }

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement | null} submitter
   */
  #byPerson(form, submitter) {
    const { at, path } = this.#act;
    if (performance.now() - at > RIGHT_BEFORE_MS) return false;
    return path.includes(form) || (submitter !== null && path.includes(submitter));
  }

  /**
   * @param {SubmitEvent | null} event
   * @param {Document | HTMLFormElement} where
   * @returns {Watched}
   */
  #watched(event, where) {
    return { event, where, posting: postingOn(this.#page), before: new Before(this.#page), messages: messagesIn(where) };
  }

  /** @param {Watched} watched */
  async #follow(watched) {
    this.#watching.abort();
    this.#watching = new AbortController();
    this.#reporter.seen(watched.posting);
    const signal = AbortSignal.any([this.#pace.signal, this.#watching.signal]);
    await this.#judge(watched, { ...this.#pace, signal });
  }

  /**
   * @param {Watched} watched
   * @param {Pace} pace
   */
  async #judge(watched, pace) {
    const answer = () => this.#answer(watched);
    const early = await until(answer, pace.answer_ms, pace);
    if (!early) await settled({ ...pace, quiet_ms: 2 * pace.quiet_ms });
    const first = early ?? answer() ?? weaker(watched);
    if (pace.signal.aborted) return;
    this.#tell(first);
    if (first.verdict !== "trusted_submit" && first.verdict !== "unclear") return;
    const late = await until(answer, pace.confirm_ms, pace);
    if (late && !pace.signal.aborted) this.#tell(late);
  }

  /**
   * @param {Watched} watched
   * @returns {Judgement | null} what the page says by itself
   */
  #answer({ where, before, messages }) {
    const confirmation = confirmationOn(this.#page, before);
    if (confirmation) return { verdict: "confirmation_page", text: confirmation };
    const isRefused = hasInvalidField(where) || messagesIn(where).some((one) => !messages.includes(one));
    return isRefused ? REFUSED : null;
  }

  /** @param {Judgement} judgement */
  #tell({ verdict, text }) {
    if (verdict === "confirmation_page") this.#hasHeld = false; // the next one on this page is another
    this.#reporter.judged(verdict, text);
  }
}

/**
 * @param {Watched} watched
 * @returns {Judgement} what follows from a page that neither confirmed nor complained anew
 */
function weaker({ event, where, messages }) {
  const complains = messagesIn(where).some((one) => messages.includes(one));
  if (!event || (complains && where instanceof HTMLFormElement)) return UNCLEAR;
  return event.defaultPrevented ? TAKEN : SENT;
}

/** @param {HTMLElement} button */
function isSending(button) {
  return SENDING.test(plain(button.innerText || button.getAttribute("value") || ""));
}

/**
 * An application asks several things, or for a document; a search or a newsletter does not.
 * @param {Document | HTMLFormElement} where
 */
export function holdsApplication(where) {
  const inside = collect(document).filter(({ widget }) => where instanceof Document || closest(widget.element, "form") === where);
  return inside.length >= 3 || inside.some(({ widget }) => widget.kind === "file");
}
