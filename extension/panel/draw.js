/**
 * Draws what is known of a tab's fields in four lists, in place, so that the focus and the ticks of the person
 * stay where they are. It only draws; what a press does is the panel's matter.
 */

import { mayBeDrafted } from "../drafts.js";
import { say, sayFirst } from "../words.js";
import { button, drawRows, element, part } from "./element.js";

/** @import { Settings, ShownField, TabState } from "../types.d.ts" */

/** @typedef {(key: string) => void} Show */

const MARKS = /** @type {Record<string, string>} */ ({
  filled: "✓", already: "✓", kept: "–", left: "–", refused: "!", changed_by_person: "✎", changed_by_page: "✗",
  failed: "✗", undone: "↶", not_undone: "✗",
});

/** Fields no machine fills, whatever is known: the person is led to each of them. */
const GUARDED = new Set([
  "consent", "signature", "secret", "government_id", "birth_date", "payment", "equal_opportunity", "about_someone_else",
]);

/**
 * @param {TabState} state
 * @param {Settings} chosen
 * @param {Show} show
 */
export function drawFields(state, chosen, show) {
  const rest = state.fields.filter(({ plan }) => plan.action === "leave");
  const guarded = rest.filter(({ plan }) => GUARDED.has(plan.reason ?? ""));
  const left = rest.filter((field) => !guarded.includes(field) && !mayBeDrafted(field));
  const toFill = state.fields.filter(({ plan }) => plan.action === "fill");
  const suggested = state.fields.filter(({ plan }) => plan.action === "suggest");
  drawList("planned", toFill, (field) => tickedRow(field, state, isTicked(field, chosen), show), state);
  drawList("suggested", suggested, (field) => tickedRow(field, state, false, show), state);
  drawList("guarded", guarded, (field) => leftRow(field, show), state);
  drawList("left", left, (field) => leftRow(field, show), state);
}

/** @returns {string[]} the keys the person took the tick from */
export function skippedKeys() {
  return boxesIn("planned").flatMap((box) => (box.checked ? [] : [box.value]));
}

/** @returns {string[]} the keys of suggestions the person ticked */
export function acceptedKeys() {
  return boxesIn("suggested").flatMap((box) => (box.checked ? [box.value] : []));
}

/** @param {string} id */
function boxesIn(id) {
  return [...part(id).querySelectorAll("input")];
}

/**
 * @param {ShownField} field
 * @param {Settings} chosen
 */
function isTicked({ plan }, chosen) {
  return plan.source === null || chosen.ticked[plan.source];
}

/**
 * @param {string} id
 * @param {ShownField[]} fields
 * @param {(field: ShownField) => HTMLElement} make
 * @param {TabState} state
 */
function drawList(id, fields, make, state) {
  const list = part(id);
  drawRows(list, fields, ({ key, plan }) => `${state.fill_id}:${key}:${plan.value ?? plan.option ?? plan.reason}`, make);
  for (const [n, field] of fields.entries()) {
    const row = list.children[n];
    if (row) update(row, field, state.phase !== "ready" && state.phase !== "filled");
  }
}

/**
 * @param {ShownField} field
 * @param {TabState} state
 * @param {boolean} isOn
 * @param {Show} show
 */
function tickedRow(field, state, isOn, show) {
  const box = element("input", { type: "checkbox", value: field.key, ...(isOn ? { checked: "" } : {}) });
  return element(
    "li",
    {},
    element("label", {}, box, labelOf(field)),
    element("p", { class: "value" }, valueOf(field, state)),
    element("p", { class: "origin" }, originOf(field), " ", showButton(field, show)),
    element("p", { class: "outcome" }),
  );
}

/**
 * @param {ShownField} field
 * @param {Show} show
 */
function leftRow(field, show) {
  const required = field.asked.required ? [" ", element("span", { class: "soft" }, say("required"))] : [];
  return element(
    "li",
    {},
    element("p", { class: "question" }, element("span", {}, labelOf(field), ...required)),
    element("p", { class: "origin" }, reasonOf(field), " ", showButton(field, show)),
    element("p", { class: "outcome" }),
  );
}

/**
 * @param {ShownField} field
 * @param {Show} show
 */
export function showButton(field, show) {
  return button(say("show"), () => show(field.key), { class: "link", "aria-label": say("show_named", labelOf(field)) });
}

/** @param {ShownField} field */
export function labelOf({ asked }) {
  return asked.label || say("no_label");
}

/**
 * @param {Element} row
 * @param {ShownField} field
 * @param {boolean} isBusy
 */
function update(row, field, isBusy) {
  const box = row.querySelector("input");
  if (box) box.disabled = isBusy;
  const place = row.querySelector(".outcome");
  if (!(place instanceof HTMLElement)) return;
  const isNews = field.outcome !== null && !(field.outcome === "left" && field.plan.action !== "fill");
  const words = isNews ? outcomeOf(field) : "";
  if (place.textContent !== words) place.textContent = words;
  place.dataset["outcome"] = isNews ? (field.outcome ?? "") : "";
  place.hidden = words === "";
}

/** @param {ShownField} field */
function outcomeOf({ outcome, detail, said }) {
  const because = said || (detail ? sayFirst([`detail_${detail}`, `reason_${detail}`], "") : "");
  const what = sayFirst([`outcome_${outcome}_${detail}`, `outcome_${outcome}`], "");
  return `${MARKS[outcome ?? ""] ?? ""} ${what}${because ? `: ${because}` : ""}`;
}

/**
 * @param {ShownField} field
 * @param {TabState} state
 */
function valueOf({ plan, asked }, { context }) {
  if (plan.document_id !== null) {
    return context?.documents.find((one) => one.id === plan.document_id)?.file_name ?? say("a_document");
  }
  if (plan.options.length > 0) return plan.options.join(", ");
  const value = plan.option ?? plan.value ?? "";
  return asked.kind === "checkboxes" ? value.split("\n").join(", ") : value;
}

/** @param {ShownField} field */
function originOf({ plan }) {
  return sayFirst([`source_${plan.source}`], plan.say);
}

/** @param {ShownField} field */
function reasonOf({ plan }) {
  return sayFirst([`reason_${plan.reason}`], plan.say);
}
