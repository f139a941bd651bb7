/**
 * Finds the fields of an application form and says what each one is. It reads labels, kinds and options, and
 * only whether a field has a value, never the value; it writes nothing and opens nothing.
 */

import { unseenAmong } from "./covered.js";
import { elsewhere, guardOf } from "./guards.js";
import { anyOf, knownOf } from "./knowledge/index.js";
import { groupOf, isRequired, questionOf } from "./label.js";
import { contains, find, firstIn, is, parentElementOf } from "./native.js";
import { schemaOf } from "./schema.js";
import { isReachable, isSaidToBeOne, isStoodInFor, isUnseenFrame, traps } from "./visible.js";
import { ancestors, closest, walk } from "./walk.js";
import { buttonChoices } from "./widgets/buttons.js";
import { combobox } from "./widgets/combobox.js";
import { drawnChoices } from "./widgets/drawn.js";
import { editor } from "./widgets/editor.js";
import { fileInput } from "./widgets/file.js";
import { promptPicker } from "./widgets/prompt.js";
import { nativeChoices } from "./widgets/radios.js";
import { reactSelect } from "./widgets/reactselect.js";
import { nativeSelect } from "./widgets/select.js";
import { selectDate } from "./widgets/selectdate.js";
import { severalOf } from "./widgets/several.js";
import { spinDate } from "./widgets/spindate.js";
import { textBox } from "./widgets/text.js";
import { oneLine, plain } from "./words.js";

/** @import { Description, Field, Widget } from "./types.d.ts" */
/** @import { Traps } from "./visible.js" */

/** The first that knows a control describes it, so the particular stand before the general. */
const KINDS = [
  promptPicker, reactSelect, combobox, spinDate, drawnChoices, buttonChoices, nativeChoices, fileInput, selectDate,
  severalOf, nativeSelect, editor, textBox,
];
const CONTROLS =
  "input, select, textarea, button, fieldset, div, ul, span, p, [role=combobox], [role=checkbox], [role=switch], [role=group], [role=radiogroup], [role=listbox], [contenteditable]";
/** Without a role these can hold pressed buttons at most, and a page is full of them. */
const PLAIN = ":is(fieldset, div, ul, span, p):not([role], [contenteditable], [aria-haspopup])";
const BOXES = "input:not([type=hidden]), select, textarea, [role=combobox], [contenteditable], button[aria-haspopup]";
const HEADINGS = "h1, h2, h3, h4, [role=heading]";
const MOST_FIELDS = 300;
/** Of a longer form it is told how many more there are, up to here. */
const MOST_COUNTED = 1500;
/** What a person types into or chooses from in the box itself. */
const BOX_KINDS = new Set(["text", "textarea", "select"]);
/** A longer list is told as no list at all: half of one would mislead. */
const MOST_OPTIONS = 400;
const LONGEST = 300;

/**
 * @param {Document | ShadowRoot | Element} root
 * @returns {Field[]} in the order of the page, as many as are read
 */
export function collect(root) {
  return read(root, MOST_FIELDS).fields;
}

/**
 * @param {Document} page
 * @returns {{ fields: Field[], beyond: number }} `beyond`: how many fields the form has besides those that are read
 */
export function collectAll(page) {
  const { fields, more } = read(page, MOST_COUNTED);
  return { fields, beyond: more };
}

/**
 * @param {Document | ShadowRoot | Element} root
 * @param {number} most fields to look at
 * @returns {{ fields: Field[], more: number }}
 */
function read(root, most) {
  if (root instanceof Document && isUnseenFrame(root)) return { fields: [], more: 0 };
  const isElsewhere = elsewhere();
  const trap = traps();
  /** @type {Set<Element>} */
  const claimed = new Set();
  /** @type {Map<string, number>} */
  const used = new Map();
  const fields = [];
  const headings = new Headings();
  const all = [...walk(root)];
  for (const element of all) {
    if (is(element, HEADINGS)) headings.add(element);
    if (fields.length >= most || !is(element, CONTROLS) || isClaimed(element, claimed)) continue;
    const widget = recognise(element);
    if (!widget) continue;
    for (const part of [widget.element, ...widget.parts]) claimed.add(part);
    if (isElsewhere(widget.element)) continue;
    const field = fieldOf(widget, headings, used, trap);
    if (field) fields.push(field);
  }
  const seen = withoutUnseen(withinForm(fields), all);
  return { fields: seen.slice(0, MOST_FIELDS), more: Math.max(seen.length - MOST_FIELDS, 0) };
}

/**
 * @param {Field[]} fields
 * @param {Element[]} all of the page
 */
function withoutUnseen(fields, all) {
  const boxes = fields.flatMap(({ widget: { element, kind, type }, description: { label } }) =>
    BOX_KINDS.has(kind) && type !== "editor" && !isStoodInFor(element) ? [{ element, label }] : [],
  );
  const unseen = unseenAmong(boxes, all);
  return unseen.size === 0 ? fields : fields.filter(({ widget }) => !unseen.has(widget.element));
}

/**
 * A platform's form is known by its frame; what stands outside belongs to the page around it.
 * @param {Field[]} fields
 */
function withinForm(fields) {
  const [first] = fields;
  const roots = first && knownOf(first.widget.element.ownerDocument).roots;
  if (!roots) return fields;
  const inside = fields.filter(({ widget }) => closest(widget.element, anyOf(roots)));
  return inside.length > 0 ? inside : fields;
}

/**
 * @param {Element} element
 * @returns {Widget | null}
 */
function recognise(element) {
  if (is(element, PLAIN)) return firstIn(element) ? buttonChoices(element) : null;
  for (const kind of KINDS) {
    const widget = kind(element);
    if (widget) return widget;
  }
  return null;
}

/**
 * What stands inside a control belongs to it; what stands inside a label may be a control of its own.
 * @param {Element} element
 * @param {Set<Element>} claimed
 */
function isClaimed(element, claimed) {
  for (let at = /** @type {Element | null} */ (element); at; at = parentElementOf(at)) {
    if (claimed.has(at) && (at === element || !is(at, "label, fieldset, div:not([role]), ul"))) return true;
  }
  return false;
}

/**
 * @param {Widget} widget
 * @param {Headings} headings
 * @param {Map<string, number>} used
 * @param {Traps} trap
 * @returns {Field | null} null for what a person does not see
 */
function fieldOf(widget, headings, used, trap) {
  const { element, kind } = widget;
  const carried = schemaOf(element.ownerDocument).get(nameOf(widget).replace(/\[\]$/, ""));
  const label = questionOf(widget) || (carried?.label ?? "");
  if (!isSeen(widget, label, trap)) return null;
  const own = widget.options();
  const options = own.length > 0 || kind === "text" ? own : carried?.options ?? [];
  /** @type {Description} */
  const description = {
    key: keyOf(widget, label, used),
    label,
    kind,
    type: widget.type.slice(0, 40),
    name: nameOf(widget).slice(0, LONGEST),
    autocomplete: (element.getAttribute("autocomplete") ?? "").slice(0, 200),
    group: groupOf(element) === label ? "" : groupOf(element),
    section: sectionOf(element, headings.over(element), label),
    options: options.length > MOST_OPTIONS ? [] : options.map((option) => option.slice(0, LONGEST)),
    required: isRequired(widget),
    max_length: "maxLength" in element && Number(element.maxLength) > 0 ? Number(element.maxLength) : null,
    has_value: widget.read() !== "",
  };
  return { description, widget, guard: guardOf(description) };
}

/**
 * @param {Widget} widget
 * @param {string} label
 * @param {Traps} trap
 */
function isSeen(widget, label, trap) {
  const { element, kind, parts } = widget;
  if (widget.type === "editor" || (element instanceof HTMLSelectElement && isStoodInFor(element))) return true;
  if (BOX_KINDS.has(kind)) return !trap.isTrap(element, label);
  if (kind === "file") return isReachable(element);
  return !isSaidToBeOne(element, label) && !trap.isAllGone([element, ...parts]);
}

/** The headings of a page so far, each with the part of the page it stands over. */
class Headings {
  /** @type {{ heading: Element, part: Element | null | undefined }[]} the part is looked for when it is asked for */
  #all = [];

  /** @param {Element} heading */
  add(heading) {
    this.#all.push({ heading, part: undefined });
  }

  /** @param {Element} element */
  over(element) {
    const above = new Set(ancestors(element));
    return this.#all.findLast((one) => {
      one.part ??= partUnder(one.heading);
      return one.part !== null && above.has(one.part);
    })?.heading ?? null;
  }
}

/**
 * A heading inside a part of its own says nothing of what follows that part.
 * @param {Element} heading
 */
function partUnder(heading) {
  for (const above of ancestors(heading)) if (is(above, "form, body") || find(above, BOXES)) return above;
  return null;
}

/** @param {Widget} widget */
function nameOf({ element, parts }) {
  const named = [element, ...parts].find((one) => one.hasAttribute("name"));
  return named?.getAttribute("name") ?? element.id;
}

/**
 * The heading a field stands under, if it belongs to the same form and is not the question itself.
 * @param {Element} element
 * @param {Element | null} heading
 * @param {string} label
 */
function sectionOf(element, heading, label) {
  const form = closest(element, "form");
  if (!heading || (form && !contains(form, heading))) return "";
  const words = oneLine(heading.textContent ?? "").slice(0, LONGEST);
  return plain(words) === plain(label) ? "" : words;
}

/**
 * The same field gets the same key when the page is read again, also after the page has drawn it anew.
 * @param {Widget} widget
 * @param {string} label
 * @param {Map<string, number>} used
 */
function keyOf(widget, label, used) {
  const own = nameOf(widget) || label;
  const base = `${widget.kind}:${own}`.slice(0, 180);
  const times = (used.get(base) ?? 0) + 1;
  used.set(base, times);
  return times === 1 ? base : `${base}~${times}`;
}
