/**
 * The shapes shared by the files of the form engine. The engine knows the page and the words of the protocol;
 * it calls no server and no browser extension interface.
 */

import type { Hands } from "./hands.js";
import type { FieldDescription, FieldKind, FieldOutcome, OutcomeName, PlannedField } from "../protocol.d.ts";

export type Kind = FieldKind;

/** What is said of a field to the server. Never a value: only whether there is one. */
export type Description = Required<FieldDescription>;

/** The part of the server's plan the engine reads. */
export type PlanLine = Pick<PlannedField, "key" | "action" | "value" | "option" | "document_id"> & {
  reason: string | null;
  /** each is ticked */
  options?: string[];
  /** an equal-opportunity question is answered only from what the person stated */
  source?: PlannedField["source"];
};

/**
 * Asks the server anew: all fields of the form, those that were not there at first included. The answer needs
 * lines for the new ones only; documents that they name are put into the fill's own map.
 */
export type PlanMore = (fields: Description[], isTried?: boolean) => Promise<PlanLine[]>;

/** What the page's owner may hand the engine that a page itself has not. */
export interface Means {
  /** looks into closed shadow roots, as `chrome.dom.openOrClosedShadowRoot` does */
  shadow_root_of?: (element: Element) => ShadowRoot | null;
}

/**
 * What became of one field. `detail` is a code, never page text and never a value; `said` is what the page says
 * against the value, for the person's eyes only: it goes to no server.
 */
export type Outcome = Required<FieldOutcome> & { said?: string | null };
export type { OutcomeName };

/** Why a field is the person's alone, whatever a plan says. */
export type Guard =
  | "secret" | "consent" | "signature" | "equal_opportunity" | "government_id" | "birth_date" | "payment";

/** A text for everything a person types or chooses; a file for a document. */
export type Want = string | File;

/** Why a write did not take; null when it was made (which verify still has to prove). */
export type WriteProblem =
  | "option_absent" | "option_ambiguous" | "list_did_not_open" | "file_type" | "too_long" | "page_changed"
  | "not_accepted" | "stopped" | null;

/** One control as a person meets it, however many elements it is made of. */
export interface Widget {
  kind: Kind;
  type: string;
  /** The element that carries the name, is looked up for the label and is scrolled to. */
  element: HTMLElement;
  /** What it is called, where nothing but the control itself can tell. */
  label?: string;
  /** The elements in which an act of the person counts as an edit of this field. */
  parts: Element[];
  /** Words that offer an answer and so are not part of the question. */
  answers: Element[];
  /** What can be chosen, as it reads on the page; empty when that is not known before opening. */
  options(): string[];
  /** The committed value as it reads on the page; "" when there is none. */
  read(): string;
  /** The committed value is what was wanted. */
  holds(want: Want): boolean;
  write(want: Want, pace: Pace): Promise<WriteProblem>;
  /** Put back what `read` gave before the fill; false when the page has no way back. */
  restore(before: string, pace: Pace): Promise<boolean>;
}

export interface Field {
  description: Description;
  widget: Widget;
  guard: Guard | null;
}

/** How long the engine waits for a page, in milliseconds; tests hand in a shorter one. */
export interface Pace {
  /** a list to open after a press on its control */
  open_ms: number;
  /** a list to show the wanted option once it is open, loading included */
  options_ms: number;
  /** new rows and revealed fields to appear */
  reveal_ms: number;
  /** no change of the page for this long counts as settled */
  quiet_ms: number;
  /** settling is given up after this long */
  settle_ms: number;
  /** a page that says it is reading the résumé is waited for this long */
  busy_ms: number;
  /** how long after a fill values are watched for being taken away */
  watch_ms: number;
  /** how often a condition is looked at where the page announces nothing */
  poll_ms: number;
  /** how long a page may take to complain of a submit before silence counts as having taken it */
  answer_ms: number;
  /** how long after that a confirmation is still waited for */
  confirm_ms: number;
  signal: AbortSignal;
}

/** A write the plan asks for and the page allows. */
export interface Step {
  key: string;
  field: Field;
  want: Want;
}

/** What a page says of one field: that it is wrong, and in which words. */
export interface Marks {
  is_marked: boolean;
  errors: string[];
  described: string[];
}

/** What a fill wrote and what stood there before: enough to undo it and to see it taken away. */
export interface Writing {
  key: string;
  widget: Widget;
  before: string;
  want: Want;
  /** what the page said of the field before */
  marks: Marks;
}

/** What the parts of a fill share. */
export interface Scene {
  page: Document;
  /** reads the page anew */
  collect(): Field[];
  hands: Hands;
  pace: Pace;
  /** kept over runs, for undo and for running again */
  written: Map<string, Writing>;
  /** while true nothing further is written */
  isPaused(): boolean;
  /** told of each outcome as it is known, and again when it changes */
  tell(outcome: Outcome): void;
}
