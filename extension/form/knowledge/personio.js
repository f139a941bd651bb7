/** Personio: a form on the employer's own careers page, German or English. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const PERSONIO = {
  platform: "personio",
  marks: ["form#job-application-form", "form[class*='job-application']", "[data-testid='job-application-form']", "script[src*='personio']"],
  roots: ["form#job-application-form", "[data-testid='job-application-form']"],
  confirmations: ["[data-testid='application-success']", ".job-application-success"],
  sentences: ["deine bewerbung (?:ist|wurde)"],
};
