/** Rippling: controls named by test ids, lists drawn at the end of the page. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const RIPPLING = {
  platform: "rippling",
  marks: ["[data-testid='ats-application-form']", "form [data-testid^='input-'] [data-testid='Icon']", "script[src*='rippling']"],
  roots: ["[data-testid='ats-application-form']"],
  confirmations: ["[data-testid='application-submitted']"],
};
