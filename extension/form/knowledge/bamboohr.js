/** BambooHR: drop-downs that are a button and a menu drawn at the end of the page. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const BAMBOOHR = {
  platform: "bamboohr",
  marks: ["form#applicationForm.CandidateForm", ".CandidateForm__row", "[class*='fab-SelectToggle']", "script[src*='bamboohr.com']"],
  roots: ["form#applicationForm", ".CandidateForm"],
  confirmations: [".CandidateForm__success", "[data-bi-id='careers-application-submitted']"],
};
