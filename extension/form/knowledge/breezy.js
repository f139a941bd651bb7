/** Breezy: a plain form with a trap box and questions as radios. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const BREEZY = {
  platform: "breezy",
  marks: ["form[ng-app], body.breezy-portal", "form [name='cName']", "#main-attachment", "script[src*='breezy.hr']"],
  roots: ["form.application-form", "form[name='form']"],
  confirmations: [".application-success", ".submitted.polygot", ".application-complete"],
  addresses: ["/apply/(?:success|thanks)"],
};
