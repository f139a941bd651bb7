/**
 * Drafts for the questions that ask for the person's own words: asked for, edited, accepted. The server keeps
 * them with a generation; an edit of a text that changed meanwhile is shown beside it and never overwrites it.
 */

import { askDraft, draftNow, editDraft, Refused, writeDraft } from "./api.js";
import { troubleOf } from "./reading.js";
import { change, setTrouble, stateOf } from "./state.js";

/** @import { Draft, ShownDraft, ShownField, TabState } from "./types.d.ts" */

/**
 * @param {ShownField[]} fields
 * @param {Draft[]} drafts of this posting
 * @returns {TabState["drafts"]} each draft that belongs to a field of this form
 */
export function draftsFor(fields, drafts) {
  const found = fields.flatMap(({ key, asked, plan }) => {
    const own = drafts.find((one) => one.id === plan.draft_id) ?? drafts.find((one) => one.question === asked.label);
    return own && mayBeDrafted({ asked, plan }) ? [[key, { draft: own, conflict: null }]] : [];
  });
  return Object.fromEntries(found);
}

/** @param {Pick<ShownField, "asked" | "plan">} field */
export function mayBeDrafted({ asked, plan }) {
  if (asked.kind !== "textarea" && asked.kind !== "text") return false;
  return plan.draft_id !== null || plan.reason === "own_words" || plan.reason === "draft_not_ready" || plan.source === "draft";
}

/**
 * @param {number} tab
 * @param {string} key
 * @param {boolean} write ask a machine for a first version
 */
export function ask(tab, key, write) {
  return attempt(tab, key, async ({ fields, url, page_title }) => {
    const field = fields.find((one) => one.key === key);
    if (!field || !mayBeDrafted(field)) return null;
    const { label: question, max_length: max_chars } = field.asked;
    return askDraft({ url, page_title, question, max_chars, write });
  });
}

/**
 * @param {number} tab
 * @param {string} key
 * @param {{ generation: number, text: string, is_accepted: boolean }} edit
 */
export async function save(tab, key, edit) {
  const own = (await stateOf(tab)).drafts[key];
  if (!own) return;
  await attempt(tab, key, () => editDraft(own.draft.id, edit), edit.text);
}

/**
 * @param {number} tab
 * @param {string} key
 * @param {boolean} replace also a text of the person's own
 */
export async function write(tab, key, replace) {
  const own = (await stateOf(tab)).drafts[key];
  if (!own) return;
  const { id, generation } = own.draft;
  await attempt(tab, key, () => writeDraft(id, { generation, replace }));
}

/**
 * The person lets the server's text stand.
 * @param {number} tab
 * @param {string} key
 */
export async function take(tab, key) {
  await change(tab, ({ drafts }) => {
    const own = drafts[key];
    return own ? { drafts: { ...drafts, [key]: { ...own, conflict: null } } } : {};
  });
}

/**
 * See how far a machine has come.
 * @param {number} tab
 */
export async function refresh(tab) {
  const { drafts } = await stateOf(tab);
  for (const [key, { draft }] of Object.entries(drafts)) {
    if (draft.state === "writing") await attempt(tab, key, () => draftNow(draft.id));
  }
}

/**
 * @param {number} tab
 * @param {string} key
 * @param {(state: TabState) => Promise<Draft | null>} act
 * @param {string | null} [mine] what the person wrote, kept beside the server's text when that changed
 */
async function attempt(tab, key, act, mine = null) {
  try {
    const draft = await act(await stateOf(tab));
    if (draft) await keep(tab, key, { draft, conflict: null });
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 409) return setTrouble(tab, troubleOf(error));
    await showBoth(tab, key, mine);
  }
}

/**
 * @param {number} tab
 * @param {string} key
 * @param {string | null} mine
 */
async function showBoth(tab, key, mine) {
  const own = (await stateOf(tab)).drafts[key];
  if (!own) return;
  try {
    await keep(tab, key, { draft: await draftNow(own.draft.id), conflict: mine });
  } catch (error) {
    await setTrouble(tab, troubleOf(error));
  }
}

/**
 * An accepted text is what the field is to be filled with; any other is not.
 * @param {number} tab
 * @param {string} key
 * @param {ShownDraft} shown
 */
async function keep(tab, key, shown) {
  const { draft } = shown;
  await change(tab, ({ drafts, fields }) => ({
    drafts: { ...drafts, [key]: shown },
    fields: fields.map((field) => (field.key === key ? planned(field, draft) : field)),
  }));
}

/**
 * @param {ShownField} field
 * @param {Draft} draft
 * @returns {ShownField}
 */
function planned(field, draft) {
  const isStanding = draft.state === "ready" || (draft.state === "writing" && draft.author === "person");
  const isReady = draft.is_accepted && isStanding && draft.text !== "";
  /** @type {Partial<ShownField["plan"]>} */
  const line = isReady
    ? { action: "fill", value: draft.text, source: "draft", reason: null, draft_id: draft.id }
    : { action: "leave", value: null, source: null, reason: "draft_not_ready", draft_id: draft.id };
  return { ...field, plan: { ...field.plan, ...line } };
}
