/**
 * Says what a control is called: its accessible name by the order browsers use, and where a page gives none,
 * the words that stand before it. It never reads what was typed.
 */

import { anyOf, knownOf } from "./knowledge/index.js";
import { attribute, before, contains, find, findAll, is, isDrawn, nodesIn, textIn } from "./native.js";
import { ancestors, byIds, closest, walk } from "./walk.js";
import { oneLine } from "./words.js";

/** @import { Widget } from "./types.d.ts" */

const CONTROLS = "input, select, textarea, button, [role=combobox], [role=listbox], [role=textbox]";
const NOT_WORDS = 'script, style, svg, noscript, template, [aria-hidden="true"], option';
const BOXES = "select, textarea, input:not([type=hidden])";
const ERRORS = '[role="alert"], [class*="error" i], [class*="invalid-feedback" i]';
const REQUIRED_MARK = /(?: ?[*✱＊]| ?\((?:required|optional|erforderlich|pflichtfeld)\))+$/iu;
const REQUIRED_WORD = /^\(?(?:required|optional|erforderlich|pflichtfeld)\)?$/i;
const REQUIRED = /[*✱＊] ?$|\(required\)$/iu;
const SAYS_NOTHING =
  /^(?:attach|upload|browse|choose|select|add|drop|datei|hochladen)(?: (?:a |your )?(?:files?|document|auswählen))?(?: here)?(?: or)?$|^rich[- ]?text(?: area|[- ]?editor|-bereich)?\b.*$|^(?:editor|textfeld)$/i;
/** What a button adds to the name of the file field it opens. */
const BUTTON_WORDS = /(\S) (?:choose|attach|upload|select|browse) (?:a )?files?$/i;
/** What stands behind the mark of a required file is the button's. */
const AFTER_MARK = /^(.{3,80}?) ?[*✱＊] .*$/;
const LONGEST = 500;

/**
 * The question a control asks.
 * @param {Widget} widget
 * @returns {string} "" when the page says nothing
 */
export function questionOf(widget) {
  const { element, answers } = widget;
  const named = accessibleName(element, answers) || (widget.label ?? "");
  const own = tidy(widget.kind === "file" ? named.replace(AFTER_MARK, "$1") : named);
  if (own && !SAYS_NOTHING.test(own)) return own;
  for (const words of [widget.label ?? "", wordsKnown(widget), groupName(widget), wordsBefore(widget), widget.kind === "file" ? groupOf(element) : ""]) {
    if (tidy(words) && !SAYS_NOTHING.test(tidy(words))) return tidy(words);
  }
  return own || tidy(element.getAttribute("placeholder") ?? "");
}

/**
 * Where a platform puts the words of a question, beside whatever holds it.
 * @param {Widget} widget
 */
function wordsKnown({ element, answers }) {
  const { questions, words } = knownOf(element.ownerDocument);
  const holder = words ? closest(element, anyOf(questions)) : null;
  const found = holder && find(holder, anyOf(words));
  return found && !found.contains(element) ? wordsOf(found, answers) : "";
}

/**
 * The name of the group a control stands in, unless that is its own question.
 * @param {HTMLElement} element
 * @returns {string}
 */
export function groupOf(element) {
  for (const above of ancestors(element, 12)) {
    if (!(above instanceof HTMLElement) || !isGroup(above)) continue;
    const name = tidy(accessibleName(above, []));
    if (name) return name;
  }
  return "";
}

/**
 * @param {Widget} widget
 * @returns {boolean} the page marks an answer as required
 */
export function isRequired(widget) {
  const { element, answers } = widget;
  const all = [element, ...findAll(element, "input, select, textarea")];
  if (all.some((one) => is(one, "[required], [aria-required=true]"))) return true;
  if (closest(element, '[role="group"][aria-required="true"], [role="radiogroup"][aria-required="true"]')) return true;
  const raw = accessibleName(element, answers) || groupName(widget) || wordsBefore(widget);
  return REQUIRED.test(raw) || labelsOf(element).some((label) => REQUIRED.test(oneLine(label.textContent ?? "")));
}

/**
 * The name by aria-labelledby, aria-label, label, legend, and title, in that order.
 * @param {HTMLElement} element
 * @param {Element[]} answers
 * @returns {string}
 */
export function accessibleName(element, answers) {
  const named = byIds(element, attribute(element, "aria-labelledby")).map((one) => wordsOf(one, answers));
  if (named.join("")) return named.join(" ");
  const spoken = oneLine(attribute(element, "aria-label"));
  const labels = labelsOf(element).map((label) => labelWords(label, element, answers)).filter(Boolean);
  const saysMore = labels[0] && spoken.startsWith(labels[0]) && element instanceof HTMLButtonElement;
  if (spoken && !saysMore) return spoken; // a button that opens a list speaks its value after its label
  if (labels.length) return labels.join(" ");
  const legend = element instanceof HTMLFieldSetElement && element.querySelector(":scope > legend");
  return legend ? wordsOf(legend, answers) : oneLine(attribute(element, "title"));
}

/**
 * A label around a box names it by what stands before the box; what follows is help, or a message.
 * @param {HTMLElement} label
 * @param {HTMLElement} element
 * @param {Element[]} answers
 */
function labelWords(label, element, answers) {
  if (!contains(label, element) || is(element, "[type=radio], [type=checkbox]")) return wordsOf(label, answers);
  const range = new Range();
  range.setStart(label, 0);
  range.setEndBefore(element);
  return wordsOf(range.cloneContents(), answers) || wordsOf(label, answers);
}

/**
 * @param {Element | DocumentFragment} element
 * @param {Element[]} answers
 * @returns {string} the words a person reads in it, without those of controls and answers
 */
export function wordsOf(element, answers) {
  let text = "";
  for (const node of nodesIn(element)) {
    if (node instanceof Text) text += node.data;
    else if (node instanceof HTMLElement && isWords(node, answers)) text += ` ${wordsOf(node, answers)} `;
  }
  return oneLine(text);
}

/**
 * @param {HTMLElement} element
 * @param {Element[]} answers
 */
function isWords(element, answers) {
  if (is(element, `${NOT_WORDS}, ${CONTROLS}`) || answers.includes(element)) return false;
  return !REQUIRED_WORD.test(oneLine(textIn(element)));
}

/**
 * @param {HTMLElement} element
 * @returns {HTMLElement[]}
 */
function labelsOf(element) {
  return "labels" in element && element.labels instanceof NodeList
    ? [...element.labels].filter((label) => label instanceof HTMLElement)
    : [];
}

/** @param {Element} element */
function isGroup(element) {
  return is(element, 'fieldset, [role="group"], [role="radiogroup"]');
}

/**
 * The nearest group's name, as long as the group holds nothing but this question.
 * @param {Widget} widget
 */
function groupName({ element, answers }) {
  for (const above of ancestors(element, 6)) {
    if (!(above instanceof HTMLElement) || !isGroup(above)) continue;
    if ([...walk(above)].some((one) => is(one, BOXES) && !contains(element, one))) return "";
    const name = accessibleName(above, answers);
    if (name) return name;
  }
  return "";
}

/**
 * The nearest words before a control, up to the control before it.
 * @param {Widget} widget
 */
function wordsBefore({ element, answers, parts }) {
  const start = parts.reduce((a, b) => (b.compareDocumentPosition(a) & Node.DOCUMENT_POSITION_FOLLOWING ? b : a), element);
  const first = answers.length > 0 ? (parts.find((part) => part !== element && element.contains(part)) ?? start) : start;
  for (const level of [first, ...ancestors(first, 6)]) {
    for (let node = before(level); node; node = before(node)) {
      const words = wordsAt(node, answers, parts);
      if (words === null) return "";
      if (words) return words;
    }
    if (is(level, "form, body, dialog")) return "";
  }
  return "";
}

/**
 * @param {ChildNode} node
 * @param {Element[]} answers
 * @param {Element[]} parts
 * @returns {string | null} null where another control stands
 */
function wordsAt(node, answers, parts) {
  if (node instanceof Text) return oneLine(node.data);
  if (!(node instanceof HTMLElement) || is(node, ERRORS) || parts.includes(node)) return "";
  if (is(node, BOXES) || find(node, BOXES)) return null;
  const words = isDrawn(node) && isWords(node, answers) ? wordsOf(node, answers) : "";
  return SAYS_NOTHING.test(words) ? "" : words;
}

/** @param {string} name */
function tidy(name) {
  return oneLine(oneLine(name).replace(REQUIRED_MARK, "").replace(BUTTON_WORDS, "$1")).slice(0, LONGEST);
}
