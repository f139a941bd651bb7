/** Ashby: hosted and embedded application forms. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const ASHBY = {
  platform: "ashby",
  marks: [".ashby-application-form-container", ".ashby-application-form-field-entry", ".ashby-job-posting-header", "#ashby_embed"],
  roots: [".ashby-application-form-container"],
  elsewhere: [".ashby-application-form-autofill-pane", ".ashby-application-form-autofill-input-root"],
  questions: [".ashby-application-form-field-entry"],
  words: [".ashby-application-form-question-title"],
  confirmations: [".ashby-application-form-success-container"],
};
