/** Recruitee: questions inside the offer's own page, in a tab of it. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const RECRUITEE = {
  platform: "recruitee",
  marks: ["form[action*='/candidates'] [name^='candidate[']", "[data-testid='offer-application-form']", "[id^='input-candidate.openQuestion']", "script[src*='recruitee']"],
  roots: ["[data-testid='offer-application-form']", "form[action*='/candidates']"],
  confirmations: ["[data-testid='application-success']", "[data-testid='offer-application-success']"],
};
