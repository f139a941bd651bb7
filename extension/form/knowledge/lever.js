/** Lever: its choices wake a guard against robots when a script presses them. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const LEVER = {
  platform: "lever",
  marks: ["form#application-form .application-question", "[data-qa='btn-apply-bottom']", "[data-qa='msg-submit-success']", "body.show-lever, .main-footer-text a[href*='lever.co']"],
  roots: ["form#application-form"],
  questions: [".application-question"],
  words: [".application-label"],
  confirmations: ["[data-qa='msg-submit-success']"],
  addresses: ["/[0-9a-f-]{36}/thanks"],
  lookups: [
    {
      box: "input.location-input",
      around: ".application-field",
      list: ".dropdown-results",
      option: ".dropdown-location",
    },
  ],
  sets_choices: true,
};
