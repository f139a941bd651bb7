/** Workday: a wizard of several pages without a form element, found by its automation ids. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const WORKDAY = {
  platform: "workday",
  marks: ["[data-automation-id='applyFlowPage']", "[data-automation-id='progressBarActiveStep']", "[data-automation-id='quickApplyPage']"],
  roots: ["[data-automation-id='applyFlowPage']", "[data-automation-id='quickApplyPage']"],
  elsewhere: [
    "[data-automation-id='signInContent']",
    "[data-automation-id='createAccountPage']",
    "[data-automation-id='header']",
    "[data-automation-id='beecatcher']",
    "[data-automation-id='footerContainer']",
  ],
  questions: ["[data-automation-id^='formField-']"],
  confirmations: ["[data-automation-id='applicationSubmittedPage']", "[data-automation-id='congratulationsPopup']"],
  steps: ["[data-automation-id='progressBarActiveStep']", "[data-automation-id='applyFlowPage'] h2"],
  adds: ["button[data-automation-id='add-button']", "button[data-automation-id='Add']", "button[data-automation-id='Add Another']"],
};
