/**
 * Lays the server's plan over the fields of the page: what is written, and for everything else what is said
 * instead. Pure: it writes nothing. What the person has entered stands, and guarded fields are theirs.
 */

import { complaintOf } from "./complaints.js";
import { AND } from "./widgets/choice.js";
import { isAccepted } from "./widgets/file.js";
import { pickOption } from "./words.js";

/** @import { Field, Guard, Outcome, OutcomeName, PlanLine, Step, Want, Writing } from "./types.d.ts" */

/** The value stands there, but the page or the browser marks it as wrong. */
export const PAGE_REFUSES = "page_refuses";

/**
 * @param {Field[]} fields
 * @param {PlanLine[]} lines
 * @param {Map<number, File>} documents by document id
 * @param {Map<string, Writing>} written what an earlier run wrote, which a new one may replace
 * @returns {{ steps: Step[], outcomes: Outcome[] }} one of the two for each line, in the order of the page
 */
export function layOut(fields, lines, documents, written) {
  const known = new Map(fields.map((field) => [field.description.key, field]));
  const order = new Map(fields.map((field, at) => [field.description.key, at]));
  const at = (/** @type {PlanLine} */ line) => order.get(line.key) ?? Infinity;
  /** @type {Step[]} */
  const steps = [];
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const line of [...lines].sort((a, b) => at(a) - at(b))) {
    const decided = decide(line, known.get(line.key), documents, written.get(line.key));
    if ("want" in decided) steps.push(decided);
    else outcomes.push(decided);
  }
  return { steps, outcomes };
}

/**
 * @param {PlanLine} line
 * @param {Field | undefined} field
 * @param {Map<number, File>} documents
 * @param {Writing | undefined} earlier
 * @returns {Step | Outcome}
 */
function decide(line, field, documents, earlier) {
  const told = (/** @type {OutcomeName} */ outcome, /** @type {string} */ detail) => ({ key: line.key, outcome, detail });
  if (line.action !== "fill") return told("left", line.reason ?? (line.action === "suggest" ? "suggested" : ""));
  if (!field) return told("failed", "field_gone");
  if (field.guard && !isStated(field.guard, line)) return told("refused", field.guard);
  const want = wanted(line, documents);
  if (want === null) return told("failed", "nothing_to_write");
  if (field.widget.holds(want)) return standing(line.key, field, earlier);
  if (field.widget.read() !== "" && !isOurs(field, earlier)) return told("kept", "has_value");
  const unfit = misfit(field, want);
  return unfit ? told("refused", unfit) : { key: line.key, field, want };
}

/**
 * @param {string} key
 * @param {Field} field one that holds what is planned already
 * @param {Writing | undefined} earlier
 * @returns {Outcome}
 */
function standing(key, { widget }, earlier) {
  const said = complaintOf(widget, earlier?.marks ?? null);
  return said === null ? { key, outcome: "already", detail: "" } : { key, outcome: "refused", detail: PAGE_REFUSES, said };
}

/**
 * A statistical question may be answered by what the person chose for just that, and by nothing else.
 * @param {Guard} guard
 * @param {PlanLine} line
 */
function isStated(guard, { source, option }) {
  return guard === "equal_opportunity" && option !== null && (source === "profile" || source === "answer");
}

/**
 * @param {PlanLine} line
 * @param {Map<number, File>} documents
 * @returns {Want | null}
 */
function wanted(line, documents) {
  if (line.document_id !== null) return documents.get(line.document_id) ?? null;
  if (line.options?.length) return line.options.join(AND);
  return line.option ?? line.value;
}

/**
 * @param {Field} field
 * @param {Writing | undefined} earlier
 */
function isOurs(field, earlier) {
  return earlier !== undefined && field.widget.holds(earlier.want);
}

/**
 * @param {Field} field
 * @param {Want} want
 * @returns {string} why it cannot stand in this field, or ""
 */
function misfit({ description, widget }, want) {
  if (want instanceof File) {
    const element = widget.element;
    if (!(element instanceof HTMLInputElement) || widget.kind !== "file") return "not_a_file_field";
    return isAccepted(element.accept, want) ? "" : "file_type";
  }
  if (widget.kind === "file") return "nothing_to_write";
  if (description.max_length !== null && want.length > description.max_length) return "too_long";
  return unknownOption(widget.kind === "checkboxes" || widget.type.endsWith("multi") ? want.split(AND) : [want], widget.options());
}

/**
 * @param {string[]} wants
 * @param {string[]} options
 */
function unknownOption(wants, options) {
  if (options.length === 0) return "";
  return wants.map((one) => pickOption(options, one)).find((found) => typeof found === "string") ?? "";
}
