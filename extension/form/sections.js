/**
 * Sections with one row for each position or school. A row is added only when the plan has something to put into
 * it, by a plain button of the page: never by a link that runs a script, and never by what saves a row, which
 * may not be taken back.
 */

import { knownOf, anyOf } from "./knowledge/index.js";
import { press } from "./events.js";
import { groupOf } from "./label.js";
import { contains, find, is } from "./native.js";
import { until } from "./pace.js";
import { isRendered } from "./visible.js";
import { ancestors, walk } from "./walk.js";
import { oneLine } from "./words.js";

/** @import { Description, Field, PlanMore, Scene } from "./types.d.ts" */

/** @typedef {{ title: string, holder: Element, add: HTMLElement, fields: Field[] }} Section */

const ADDS = /^(?:\+ ?)?(?:add|hinzufügen|ajouter|añadir)(?: (?:another|more|new|an?|weitere|un|una|otro))?(?: [\p{L} /]{3,40})?$|^(?:weitere )?[\p{L} ]{3,30} hinzufügen$/iu;
const NEVER = /save|speicher|submit|send|apply|enregistr|guardar|upload|attach|file|note|comment/i;
const WORK = /\bwork\b|employment|\bexperience\b|berufserfahrung|exp[ée]rience|experiencia/i;
const SCHOOL = /education|ausbildung|bildungsweg|studium|formation|formaci[óo]n|schools?\b/i;
const HEADINGS = "h1, h2, h3, h4, h5, legend, [role=heading]";
const MOST_ROWS = 5;
const NEXT = "+next";

/** What is asked for a row that is not there yet, where there is none to go by. */
const FIRST_WORK = ["Job title", "Company"];
const FIRST_SCHOOL = ["School or university", "Degree"];

/**
 * Add one row, if the plan would fill it.
 * @param {Scene} scene
 * @param {PlanMore} more
 * @param {Set<Element>} tried buttons that brought nothing or are not needed
 * @returns {Promise<boolean>} a row came
 */
export async function addRow(scene, more, tried) {
  for (const section of sections(scene)) {
    if (tried.has(section.add)) continue;
    tried.add(section.add);
    if (!isFull(section) || !(await isNeeded(section, scene, more))) continue;
    const before = scene.collect().length;
    if (scene.pace.signal.aborted) return false;
    press(section.add);
    if (await until(() => scene.collect().length > before, scene.pace.reveal_ms, scene.pace)) {
      tried.delete(section.add);
      return true;
    }
  }
  return false;
}

/**
 * @param {Scene} scene
 * @returns {Section[]}
 */
function sections({ page, collect }) {
  const fields = collect();
  const adds = [...walk(page)].filter((one) => isAdd(one, page));
  return /** @type {HTMLElement[]} */ (adds).flatMap((add) => {
    const found = holderOf(add, adds);
    if (!found || !(WORK.test(found.title) || SCHOOL.test(found.title))) return [];
    const own = fields.filter(({ widget }) => [...ancestors(widget.element)].includes(found.holder));
    return [{ ...found, add, fields: own }];
  });
}

/**
 * @param {Element} element
 * @param {Document} page
 */
function isAdd(element, page) {
  if (!(element instanceof HTMLElement) || !element.matches("button, [role=button]") || element.matches("a, :disabled")) return false;
  if (element instanceof HTMLButtonElement && element.type === "submit" && element.form) return false;
  const words = oneLine(element.innerText || element.ariaLabel || "");
  if (NEVER.test(words) || !isRendered(element)) return false;
  return ADDS.test(words) || (element.matches(anyOf(knownOf(page).adds)) && /^\+?\s?add/i.test(words));
}

/**
 * @param {HTMLElement} add
 * @param {Element[]} adds
 * @returns {{ title: string, holder: Element } | null} the nearest part with a name that has this button only
 */
function holderOf(add, adds) {
  for (const above of ancestors(add, 8)) {
    if (adds.some((other) => other !== add && contains(above, other))) return null;
    const heading = find(above, HEADINGS);
    const named = above instanceof HTMLElement && is(above, "fieldset, [role=group], section") ? groupOf(add) : "";
    const title = named || oneLine(heading?.textContent ?? "");
    if (title) return { title, holder: above };
  }
  return null;
}

/**
 * A section whose last row stands empty needs no other.
 * @param {Section} section
 */
function isFull({ fields }) {
  const rows = rowsOf(fields);
  const last = rows.at(-1);
  return rows.length < MOST_ROWS && (!last || last.some(({ widget }) => widget.read() !== ""));
}

/**
 * @param {Field[]} fields
 * @returns {Field[][]} a row starts where the first question comes again
 */
function rowsOf(fields) {
  const first = fields[0]?.description.label;
  /** @type {Field[][]} */
  const rows = [];
  for (const field of fields) {
    if (field.description.label === first) rows.push([]);
    rows.at(-1)?.push(field);
  }
  return rows;
}

/**
 * Ask for the plan of the form as it would be with the row.
 * @param {Section} section
 * @param {Scene} scene
 * @param {PlanMore} more
 */
async function isNeeded(section, { collect }, more) {
  const all = collect().map(({ description }) => description);
  const last = rowsOf(section.fields).at(-1)?.map(({ description }) => description) ?? firstRow(section.title);
  const row = last.map((one) => ({ ...one, key: `${one.key}${NEXT}`.slice(-200), has_value: false }));
  const end = section.fields.at(-1)?.description.key;
  const at = end ? all.findIndex((one) => one.key === end) + 1 : all.length;
  const lines = await more([...all.slice(0, at), ...row, ...all.slice(at)], true);
  return lines.some((line) => line.action === "fill" && row.some((one) => one.key === line.key));
}

/**
 * @param {string} title
 * @returns {Description[]}
 */
function firstRow(title) {
  return (WORK.test(title) ? FIRST_WORK : FIRST_SCHOOL).map((label) => ({
    key: `text:${label}`,
    label,
    kind: "text",
    type: "text",
    name: "",
    autocomplete: "",
    group: "",
    section: title,
    options: [],
    required: false,
    max_length: null,
    has_value: false,
  }));
}
