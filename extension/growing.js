/**
 * While a form is being filled it may show more of itself: questions that an answer revealed, further rows of a
 * section. The page asks here for the plan of those; what the person let be filled by itself is filled, and all
 * of it is listed in the panel. A page that is not being filled is told nothing.
 */

import { resolve } from "./api.js";
import { inPage, fetchDocuments } from "./filling.js";
import { settings } from "./settings.js";
import { change, stateOf } from "./state.js";

/** @import { FieldDescription } from "./protocol.d.ts" */
/** @import { Plan, Settings, ShownField } from "./types.d.ts" */
/** @import { FillMessage } from "./filling.js" */

const MOST_FIELDS = 300;

/**
 * @param {number} tab
 * @param {string} document_id who asks
 * @param {Required<FieldDescription>[]} fields all of its form as it stands now
 * @param {boolean} isTried some of them stand nowhere yet: it is asked what a further row would get, and nothing of
 *   that is listed
 * @returns {Promise<Pick<FillMessage, "lines" | "documents">>}
 */
export async function planMore(tab, document_id, fields, isTried) {
  const state = await stateOf(tab);
  const page = state.frames.findIndex((frame) => frame.document_id === document_id);
  if (state.phase !== "filling" || page < 0) return { lines: [], documents: [] };
  const asked = fields.slice(0, MOST_FIELDS).map((field) => ({ ...field, key: `${page}/${field.key}` }));
  const { fill_id, fields: lines } = await resolve({ url: state.url, page_title: state.page_title, fields: asked });
  const known = new Set(state.fields.map(({ key }) => key));
  const chosen = await settings();
  const found = asked.flatMap((field) => {
    const line = known.has(field.key) ? undefined : lines.find(({ key }) => key === field.key);
    return line ? [shownAs(field, line, chosen)] : [];
  });
  const fresh = found.slice(0, Math.max(MOST_FIELDS - known.size, 0));
  const wanted = fresh.filter(({ outcome }) => outcome === null);
  if (isTried) return { lines: wanted.map(inItsPage), documents: [] };
  await change(tab, (now) => ({ fill_id, fields: [...now.fields, ...fresh], beyond: now.beyond + found.length - fresh.length }));
  const documents = await fetchDocuments(tab, state, wanted);
  return { lines: wanted.map(inItsPage), documents };
}

/** @param {ShownField} field */
function inItsPage({ key, plan }) {
  return { ...plan, key: inPage(key) };
}

/**
 * @param {Required<FieldDescription>} asked
 * @param {Plan} plan
 * @param {Settings} chosen
 * @returns {ShownField}
 */
function shownAs(asked, plan, chosen) {
  const { key } = asked;
  if (plan.action !== "fill") return { key, asked, plan, outcome: "left", detail: plan.reason ?? "" };
  const isWanted = plan.source !== null && chosen.ticked[plan.source];
  return { key, asked, plan, outcome: isWanted ? null : "left", detail: isWanted ? "" : "skipped" };
}
