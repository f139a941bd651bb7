/**
 * Every message between the parts of the extension, each with its shape and its sender. A page can forge none:
 * content scripts answer the worker only, the worker tells pages and panel apart by where a message came from.
 */

import { count, flag, list, maybe, object, oneOf, text, variants } from "./shapes.js";

/** @template S @typedef {S extends (...args: any[]) => infer T ? T : never} Of */

const KINDS = /** @type {const} */ ([
  "text", "textarea", "select", "combobox", "radio", "checkbox", "checkboxes", "buttons", "file",
]);
const OUTCOMES = /** @type {const} */ ([
  "filled", "already", "kept", "left", "refused", "changed_by_person", "changed_by_page", "failed", "undone",
  "not_undone",
]);
const ACTIONS = /** @type {const} */ (["fill", "suggest", "leave"]);
const KEY = text(200);
const KEYS = list(KEY, 300);
const URL_TEXT = text(4096);

const description = object({
  key: KEY,
  label: text(2000),
  kind: oneOf(...KINDS),
  type: text(40),
  name: text(500),
  autocomplete: text(200),
  group: text(1000),
  section: text(1000),
  options: list(text(2000), 400),
  required: flag,
  max_length: maybe(count),
  has_value: flag,
});

export const outcome = object({ key: KEY, outcome: oneOf(...OUTCOMES), detail: text(200), said: maybe(text(300)) });

const posting = { company: maybe(text(300)), title: maybe(text(300)), requisition_id: maybe(text(200)) };

/** What a page answers when it is asked to describe itself. */
export const described = object({
  fields: list(description, 300),
  beyond: count,
  url: URL_TEXT,
  page_title: text(1000),
  closed_frames: list(text(300), 20),
});

/** What the person entered, for the fields they asked to remember; nothing for a guarded one. */
export const entered = object({ given: list(object({ key: KEY, given: list(text(20_000), 100) }), 300) });

/** What a page calls the posting it shows. */
export const calledItself = object({ url: URL_TEXT, ...posting });

/** What a page says of itself after a submit took the person to it. */
export const arrived = object({ confirmation: maybe(text(1000)), has_form: flag, has_errors: flag, url: URL_TEXT });

const line = object({
  key: KEY,
  action: oneOf(...ACTIONS),
  value: maybe(text(100_000)),
  option: maybe(text(2000)),
  options: list(text(2000), 100),
  document_id: maybe(count),
  source: maybe(oneOf("profile", "document", "answer", "draft")),
  reason: maybe(text(100)),
});

const documentFile = object({ id: count, name: text(300), type: text(200), base64: text(16_000_000) });

/** Whether a page still writes. */
export const busy = object({ is_busy: flag });

/** What a page gets when it asks for the plan of fields that appeared during a fill. */
export const planned = object({ lines: list(line, 300), documents: list(documentFile, 20) });

/** From the worker to a page. */
export const toPage = variants({
  describe: {},
  fill: { lines: list(line, 300), documents: list(documentFile, 20) },
  undo: {},
  stop: {},
  pause: { on: flag },
  busy: {},
  show: { key: KEY },
  arrived: {},
  entered: { keys: KEYS },
  posting: {},
});

/** From a page to the worker. */
export const fromPage = variants({
  outcomes: { outcomes: list(outcome, 300) },
  done: { of: oneOf("fill", "watch", "undo") },
  more: { fields: list(description, 300), is_tried: flag },
  changed: { keys: KEYS },
  grown: { fresh: count },
  submit_seen: { url: URL_TEXT, submitted_at: text(40), ...posting },
  submit_verdict: {
    verdict: oneOf("confirmation_page", "trusted_submit", "refused_by_page", "unclear"),
    text: text(1000),
  },
});

/** From the panel to the worker; `tab` is the tab the panel is about. */
export const fromPanel = variants({
  read: { tab: count },
  fill: { tab: count, skipped: KEYS, accepted: KEYS },
  undo: { tab: count },
  stop: { tab: count },
  pause: { tab: count, on: flag },
  show: { tab: count, key: KEY },
  sent: { tab: count, fill_id: count, yes: flag },
  remember: { tab: count, keys: KEYS, scope: oneOf("everywhere", "employer") },
  draft_ask: { tab: count, key: KEY, write: flag },
  draft_save: { tab: count, key: KEY, generation: count, text: text(50_000), is_accepted: flag },
  draft_write: { tab: count, key: KEY, replace: flag },
  draft_take: { tab: count, key: KEY },
  save: { tab: count },
  turn_on: { tab: count },
  tick: { tab: count },
});
