/**
 * Draws what is known of a tab: its fields in two lists, in place, so that the focus and the ticks of the person
 * stay where they are. It only draws; what a press does is the panel's matter.
 */

import { say, sayFirst } from "../words.js";

/** @import { ShownField, TabState } from "../types.d.ts" */

/** @typedef {(key: string) => void} Show */

const MARKS = /** @type {Record<string, string>} */ ({
  filled: "✓", already: "✓", kept: "–", left: "–", refused: "!", changed_by_person: "✎", changed_by_page: "✗",
  failed: "✗", undone: "↶", not_undone: "✗",
});

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the panel has no ${id}`);
  return found;
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} inside
 * @returns {HTMLElement}
 */
export function element(name, attributes, ...inside) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...inside);
  return made;
}

/**
 * @param {TabState} state
 * @param {Show} show
 */
export function drawFields(state, show) {
  const planned = state.fields.filter((field) => field.plan.action === "fill");
  const left = state.fields.filter((field) => field.plan.action === "leave");
  drawList(part("planned"), planned, (field) => plannedRow(field, valueOf(field, state), show), state);
  drawList(part("left"), left, (field) => leftRow(field, show), state);
}

/** @returns {string[]} the keys the person took the tick from */
export function skippedKeys() {
  const boxes = [...part("planned").querySelectorAll("input")].filter((box) => !box.checked);
  return boxes.map((box) => box.value);
}

/**
 * @param {HTMLElement} list
 * @param {ShownField[]} fields
 * @param {(field: ShownField) => HTMLElement} make
 * @param {TabState} state
 */
function drawList(list, fields, make, state) {
  const name = `${state.fill_id}:${fields.map((field) => field.key).join("|")}`;
  if (list.dataset["of"] !== name) {
    list.replaceChildren(...fields.map(make));
    list.dataset["of"] = name;
  }
  for (const [n, field] of fields.entries()) {
    const row = list.children[n];
    if (row) update(row, field, state.phase !== "ready" && state.phase !== "filled");
  }
  const section = list.closest("section");
  if (section) section.hidden = fields.length === 0;
}

/**
 * @param {ShownField} field
 * @param {string} value
 * @param {Show} show
 */
function plannedRow(field, value, show) {
  const box = element("input", { type: "checkbox", value: field.key, checked: "" });
  return element(
    "li",
    {},
    element("label", {}, box, field.label || say("no_label")),
    element("p", { class: "value" }, value),
    element("p", { class: "origin" }, originOf(field), " ", showButton(field, show)),
    element("p", { class: "outcome" }),
  );
}

/**
 * @param {ShownField} field
 * @param {Show} show
 */
function leftRow(field, show) {
  const required = field.required ? [" ", element("span", { class: "soft" }, say("required"))] : [];
  return element(
    "li",
    {},
    element("p", { class: "question" }, element("span", {}, field.label || say("no_label"), ...required)),
    element("p", { class: "origin" }, reasonOf(field), " ", showButton(field, show)),
    element("p", { class: "outcome" }),
  );
}

/**
 * @param {ShownField} field
 * @param {Show} show
 */
function showButton(field, show) {
  const button = element("button", { type: "button", class: "link", "aria-label": say("show_named", field.label) }, say("show"));
  button.addEventListener("click", () => show(field.key));
  return button;
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
  const isNews = field.outcome !== null && !(field.outcome === "left" && field.plan.action === "leave");
  const words = isNews ? outcomeOf(field) : "";
  if (place.textContent !== words) place.textContent = words;
  place.dataset["outcome"] = isNews ? (field.outcome ?? "") : "";
  place.hidden = words === "";
}

/** @param {ShownField} field */
function outcomeOf({ outcome, detail }) {
  const because = detail ? sayFirst([`detail_${detail}`, `reason_${detail}`], "") : "";
  return `${MARKS[outcome ?? ""] ?? ""} ${say(`outcome_${outcome}`)}${because ? `: ${because}` : ""}`;
}

/**
 * @param {ShownField} field
 * @param {TabState} state
 */
function valueOf({ plan, kind }, { context }) {
  if (plan.document_id !== null) {
    return context?.documents.find((one) => one.id === plan.document_id)?.file_name ?? say("a_document");
  }
  const value = plan.option ?? plan.value ?? "";
  return kind === "checkboxes" ? value.split("\n").join(", ") : value;
}

/** @param {ShownField} field */
function originOf({ plan }) {
  return sayFirst([`source_${plan.source}`], plan.say);
}

/** @param {ShownField} field */
function reasonOf({ plan }) {
  return sayFirst([`reason_${plan.reason}`], plan.say);
}
