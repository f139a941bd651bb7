/** Workable: boxes drawn over hidden inputs; a saved row of a section cannot be taken back. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const WORKABLE = {
  platform: "workable",
  marks: ["form[data-ui='application-form']", "[data-ui='apply-button']", "form [data-ui='firstname']", "[data-ui='successful-submit']"],
  roots: ["form[data-ui='application-form']"],
  elsewhere: ["[data-ui='cookie-consent']", "[data-ui='autofill-computer']"],
  confirmations: ["[data-ui='successful-submit']"],
};
