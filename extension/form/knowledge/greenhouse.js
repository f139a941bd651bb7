/** Greenhouse, old boards and new: marks only. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const GREENHOUSE = {
  platform: "greenhouse",
  marks: [
    "#application_form[action*='greenhouse']",
    "form#application_form #job_application_first_name",
    "form#application-form.application--form",
    "#grnhse_app",
    "meta[property='og:url'][content*='greenhouse.io']",
  ],
  roots: ["#application_form", "#application-form", ".application--form"],
  elsewhere: [".job-alert", ".job-alerts", ".candidate-auth", "#mygreenhouse"],
  questions: [".field", ".field-wrapper", ".eeoc__question__wrapper"],
  confirmations: ["#application_confirmation", ".application-confirmation", ".confirmation__content"],
  addresses: ["/jobs/\\d+/confirmation"],
};
