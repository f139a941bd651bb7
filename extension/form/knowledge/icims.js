/** iCIMS: old-fashioned forms in a frame; rows are added by anchors that run a script, which are left alone. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const ICIMS = {
  platform: "icims",
  marks: ["#icims_content_iframe", ".iCIMS_MainWrapper", ".iCIMS_ApplyOnlinePage", "form.iCIMS_PrimaryForm", ".iCIMS_TableRow"],
  roots: [".iCIMS_MainWrapper"],
  elsewhere: [".iCIMS_LoginForm", ".iCIMS_JobSearchForm", ".iCIMS_PortalLinks"],
  questions: [".iCIMS_TableRow"],
  words: [".iCIMS_FieldLabel", ".iCIMS_TableCell label"],
  confirmations: [".iCIMS_ApplicationComplete", ".iCIMS_ThankYou"],
  steps: [".iCIMS_ProgressStepActive", ".iCIMS_Progress [aria-current]"],
};
