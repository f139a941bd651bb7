/** SmartRecruiters: fields of web components, each in a shadow root of its own. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const SMARTRECRUITERS = {
  platform: "smartrecruiters",
  marks: ["oc-oneclick-form", "oc-app, oc-root", "spl-input[formcontrolname]", "meta[property='og:site_name'][content*='SmartRecruiters']"],
  roots: ["oc-oneclick-form", "oc-app", "oc-root"],
  elsewhere: ["oc-easy-apply", "oc-login", "spl-cookie-banner"],
  questions: ["oc-question", "spl-form-element"],
  confirmations: ["oc-success", "[data-test='application-success']"],
  addresses: ["/(?:success|thank-you)(?:[/?#]|$)"],
  steps: ["[aria-current='step']"],
  adds: ["spl-button[data-test^='add-']", "button[data-test^='add-']"],
};
