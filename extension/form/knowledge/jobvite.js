/** Jobvite: a form of steps with numbered fields. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const JOBVITE = {
  platform: "jobvite",
  marks: [".jv-page-apply", "form[name='applyForm']", ".jv-form-field", "script[src*='jobvite']"],
  roots: [".jv-page-apply form", "form[name='applyForm']"],
  elsewhere: [".jv-search", ".jv-job-alert", ".jv-apply-with"],
  questions: [".jv-form-field"],
  words: [".jv-form-field-label"],
  confirmations: [".jv-page-application-confirmation", ".jv-application-submitted"],
  steps: [".jv-progress [aria-current]", ".jv-progress .active"],
};
