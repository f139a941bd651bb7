/** The shapes shared by the worker and the extension's own pages. */

import type { draft, fillPlan, pageContext } from "./answers.js";
import type { Of } from "./messages.js";
import type { FieldDescription, OutcomeName } from "./protocol.d.ts";

export type Plan = Of<typeof fillPlan>["fields"][number];
export type PageContext = Of<typeof pageContext>;
export type Draft = Of<typeof draft>;
export type Source = NonNullable<Plan["source"]>;

/** What the person chose for this browser. */
export interface Settings {
  /** "" is the browser's own */
  language: "" | "en" | "de" | "fr";
  /** what is ticked by itself when a plan is shown */
  ticked: Record<Source, boolean>;
  /** host names on which Jobtrail does nothing */
  off: string[];
}

export interface Connection {
  /** origin of the person's server */
  server: string;
  token: string | null;
  device_id: number | null;
  device_name: string;
  account_name: string;
  /** the server no longer knows the token */
  is_revoked: boolean;
}

/** One document of a tab that was read; a navigation makes another. */
export interface Frame {
  document_id: string;
  url: string;
}

/** One field as the panel shows it: what is planned, why, and what became of it. */
export interface ShownField {
  key: string;
  /** as it was described to the server */
  asked: Required<FieldDescription>;
  plan: Plan;
  outcome: OutcomeName | null;
  detail: string;
  /** what the page says against the value; stays in this browser */
  said?: string | null;
}

export type Phase = "idle" | "reading" | "ready" | "filling" | "filled" | "undoing";

/** What went wrong, in a word the panel has a sentence for; `detail` is the server's own sentence. */
export interface Trouble {
  code: string;
  detail: string;
}

/** A draft as the panel shows it; `conflict` is what the person wrote while the server's text changed. */
export interface ShownDraft {
  draft: Draft;
  conflict: string | null;
}

export type SubmissionStep = "seen" | "asked" | "sent" | "recorded";

/** Facts about the posting that the page states for machines or in its title. */
export interface PostingFacts {
  company: string | null;
  title: string | null;
  requisition_id: string | null;
}

/** The person's own submit, kept until the server has it. */
export interface Submission extends PostingFacts {
  fill_id: number;
  tab: number;
  url: string;
  submitted_at: string;
  step: SubmissionStep;
  evidence: string;
}

export interface TabState {
  phase: Phase;
  url: string;
  page_title: string;
  frames: Frame[];
  /** hiring platforms whose frames could not be read for want of a permission */
  closed_frames: string[];
  fill_id: number | null;
  context: PageContext | null;
  fields: ShownField[];
  /** how many fields the form has that were not read: more than are planned at once */
  beyond: number;
  /** by key of the field each is for */
  drafts: Record<string, ShownDraft>;
  /** keys of fields the person typed into or changed, which may be remembered */
  changed: string[];
  /** keys of those that were remembered */
  remembered: string[];
  /** how many fields appeared since the page was read, by document */
  fresh: Record<string, number>;
  /** when the person last asked for the page to be read, in milliseconds since 1970 */
  read_at: number;
  /** the person holds the fill that is under way */
  is_paused: boolean;
  trouble: Trouble | null;
  /** the server was told of these outcomes, or the outbox was */
  is_reported: boolean;
}
