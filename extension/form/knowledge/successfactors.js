/** SuccessFactors: a profile of sections, drop-downs that are boxes with a list at the end of the page. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const SUCCESSFACTORS = {
  platform: "successfactors",
  marks: [".careerApplication", "#careerApplyContainer", ".rcmFormSection", "script[src*='successfactors']", "form[action*='career'] .sfPicklist"],
  roots: [".careerApplication", "#careerApplyContainer"],
  elsewhere: ["#signInForm", ".jobAlertForm"],
  confirmations: [".applicationConfirmation", "#applyConfirmation"],
};
