/**
 * Draws the questions that ask for the person's own words, each with its draft: its state, its text to edit, and
 * both texts where the draft changed on the server while the person wrote.
 */

import { mayBeDrafted } from "../drafts.js";
import { say, sayFirst } from "../words.js";
import { labelOf, showButton } from "./draw.js";
import { button, drawRows, element, part } from "./element.js";

/** @import { Of, fromPanel } from "../messages.js" */
/** @import { Draft, ShownDraft, ShownField, TabState } from "../types.d.ts" */

/** @typedef {(message: Of<typeof fromPanel>) => void} Ask */

/**
 * @param {number} tab
 * @param {TabState} state
 * @param {Ask} ask
 */
export function drawDrafts(tab, state, ask) {
  const fields = state.fields.filter((field) => mayBeDrafted(field));
  const nameOf = (/** @type {ShownField} */ { key }) => `${key}:${shapeOf(state.drafts[key])}`;
  const typed = typedTexts();
  drawRows(part("drafts"), fields, nameOf, (field) => row(tab, field, state.drafts[field.key], ask));
  for (const [n, { key }] of fields.entries()) {
    const [box, shown] = [part("drafts").children[n]?.querySelector("textarea"), state.drafts[key]];
    const own = typed.get(key);
    if (box && own && box !== own && shown?.conflict === null) takeOver(box, own);
    if (box && shown) update(box, shown.draft);
  }
}

/** @returns {Map<string, HTMLTextAreaElement>} the boxes that hold what the person has typed and not saved */
function typedTexts() {
  const boxes = [...part("drafts").querySelectorAll("textarea")].filter((box) => box.value !== box.dataset["text"]);
  return new Map(boxes.map((box) => [box.dataset["key"] ?? "", box]));
}

/**
 * A row made anew, because the draft stands otherwise now, goes on with what was being typed. It names the version
 * that was edited, so that saving shows both where another is in force.
 * @param {HTMLTextAreaElement} box
 * @param {HTMLTextAreaElement} before
 */
function takeOver(box, before) {
  if (before.value === box.value) return;
  box.value = before.value;
  box.dataset["text"] = before.dataset["text"] ?? "";
  box.dataset["generation"] = before.dataset["generation"] ?? "0";
  box.dispatchEvent(new Event("input"));
}

/**
 * Rows of one shape are kept, with what the person is typing.
 * @param {ShownDraft | undefined} shown
 */
function shapeOf(shown) {
  if (!shown) return "none";
  const { draft, conflict } = shown;
  if (conflict !== null) return `conflict:${draft.generation}`;
  return [draft.id, draft.state, draft.author, draft.is_accepted, draft.can_write].join(":");
}

/**
 * @param {number} tab
 * @param {ShownField} field
 * @param {ShownDraft | undefined} shown
 * @param {Ask} ask
 */
function row(tab, field, shown, ask) {
  const show = (/** @type {string} */ key) => ask({ type: "show", tab, key });
  const made = element(
    "li",
    {},
    element("p", { class: "question" }, labelOf(field)),
    element("p", { class: "origin" }, stateWords(shown?.draft), " ", showButton(field, show)),
  );
  if (!shown) made.append(element("div", { class: "row" }, ...firstButtons(tab, field, ask)));
  else made.append(...editor(tab, field, shown, ask));
  return made;
}

/** @param {Draft | undefined} draft */
function stateWords(draft) {
  if (!draft) return say("reason_own_words");
  if (draft.state === "failed") return say("draft_failed", sayFirst([`draft_failed_${draft.failure}`], draft.failure ?? ""));
  if (draft.state !== "ready") return say(`draft_${draft.state}`);
  if (draft.is_accepted) return say("draft_accepted");
  if (draft.author !== "machine") return say("draft_yours");
  return say("draft_by_machine", draft.rests_on.join(", ") || "–");
}

/**
 * @param {number} tab
 * @param {ShownField} field
 * @param {Ask} ask
 */
function firstButtons(tab, field, ask) {
  const asking = (/** @type {boolean} */ write) => () => ask({ type: "draft_ask", tab, key: field.key, write });
  const about = (/** @type {string} */ words) => ({ "aria-label": `${words}: ${labelOf(field)}` });
  const [machine, own] = [say("draft_ask"), say("draft_begin")];
  return [button(machine, asking(true), about(machine)), button(own, asking(false), about(own))];
}

/**
 * @param {number} tab
 * @param {ShownField} field
 * @param {ShownDraft} shown
 * @param {Ask} ask
 */
function editor(tab, field, { draft, conflict }, ask) {
  const { key } = field;
  const box = document.createElement("textarea");
  box.setAttribute("aria-label", say("draft_text", labelOf(field)));
  box.rows = 8;
  box.value = conflict ?? draft.text;
  box.dataset["key"] = key;
  box.dataset["text"] = draft.text;
  box.dataset["generation"] = String(draft.generation);
  const size = element("p", { class: "soft", role: "status" });
  const count = () => (size.textContent = sizeWords(box.value.length, draft.max_chars));
  box.addEventListener("input", count);
  count();
  const save = (/** @type {boolean} */ is_accepted) => () =>
    ask({ type: "draft_save", tab, key, generation: Number(box.dataset["generation"]), text: box.value, is_accepted });
  const buttons = [button(say("draft_accept"), save(true), { class: "main" }), button(say("draft_save"), save(false))];
  if (draft.can_write && draft.state !== "writing") buttons.push(button(say("draft_again"), () => ask({ type: "draft_write", tab, key, replace: true })));
  return [...(conflict === null ? [] : [theirs(tab, key, draft, ask)]), box, size, element("div", { class: "row" }, ...buttons)];
}

/**
 * @param {number} tab
 * @param {string} key
 * @param {Draft} draft
 * @param {Ask} ask
 */
function theirs(tab, key, draft, ask) {
  const take = button(say("draft_take"), () => ask({ type: "draft_take", tab, key }));
  return element(
    "div",
    { class: "notice", role: "alert" },
    element("p", {}, say("draft_conflict")),
    element("blockquote", {}, draft.text),
    element("div", { class: "row" }, take),
  );
}

/**
 * A newer text comes in only where the person has not written.
 * @param {HTMLTextAreaElement} box
 * @param {Draft} draft
 */
function update(box, draft) {
  if (box.value !== box.dataset["text"] && box.value !== draft.text) return;
  if (box.value !== draft.text) box.value = draft.text;
  box.dataset["text"] = draft.text;
  box.dataset["generation"] = String(draft.generation);
}

/**
 * @param {number} now
 * @param {number | null} most
 */
function sizeWords(now, most) {
  if (most === null) return say("draft_size", now);
  return say(now > most ? "draft_too_long" : "draft_size_of", now, most);
}
