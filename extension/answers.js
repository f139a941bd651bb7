/** The shapes of the server's answers that the extension uses; what does not have them is refused as not Jobtrail. */

import { amount, count, flag, list, maybe, object, oneOf, text } from "./shapes.js";

const ID = count;
const KEY = text(200);
const TIME = text(40);

export const problem = object({ code: text(100), detail: maybe(text(2000)) });
export const paired = object({ token: text(500), device_id: ID, account_name: text(500) });
export const device = object({ device_id: ID, device_name: text(200), account_name: text(500) });
export const recorded = object({ application_id: ID });
export const savedPosting = object({ posting_id: maybe(ID), title: text(2000), was_saved_before: flag });
export const remembered = object({ id: ID });

export const draft = object({
  id: ID,
  question: text(2000),
  generation: count,
  state: oneOf("empty", "writing", "ready", "failed"),
  author: maybe(oneOf("machine", "person")),
  text: text(50_000),
  max_chars: maybe(count),
  rests_on: list(text(2000), 200),
  failure: maybe(text(500)),
  is_accepted: flag,
  can_write: flag,
});

export const pageContext = object({
  posting: maybe(object({ id: ID, title: text(2000), company: maybe(text(1000)), closed_at: maybe(TIME) })),
  application: maybe(object({ id: ID, applied_at: maybe(TIME) })),
  is_saved: flag,
  documents: list(object({ id: ID, file_name: text(1000), media_type: text(200) }), 200),
  drafts: list(draft, 300),
  form: maybe(object({ fills: count, last_filled_at: TIME, submitted_at: maybe(TIME) })),
});

/** The part of the server's plan that the extension uses. */
export const fillPlan = object({
  fill_id: ID,
  platform: maybe(text(100)),
  fields: list(
    object({
      key: KEY,
      action: oneOf("fill", "suggest", "leave"),
      value: maybe(text(100_000)),
      option: maybe(text(2000)),
      options: list(text(2000), 100),
      document_id: maybe(ID),
      draft_id: maybe(ID),
      may_be_remembered: flag,
      source: maybe(oneOf("profile", "document", "answer", "draft")),
      rule: text(200),
      confidence: amount,
      reason: maybe(text(100)),
      say: text(2000),
    }),
    300,
  ),
});
