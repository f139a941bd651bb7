/** Teamtailor: a form inside a careers site with its own sign-in and cookie boxes. */

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge} */
export const TEAMTAILOR = {
  platform: "teamtailor",
  marks: ["form#new_candidate", "form#job-application-form[data-controller*='careersite']", "[name^='candidate[job_applications_attributes]']", "#candidate_first_name", "meta[name='generator'][content*='Teamtailor']"],
  roots: ["form#new_candidate", "form#job-application-form", "form[action*='/applications']"],
  elsewhere: ["[data-controller*='connect--']", "[data-controller*='cookies--']", "form[action*='/connect']", "form[action*='/sessions']"],
  confirmations: ["[data-controller*='application-success']"],
  addresses: ["/jobs/[^/]+/applications/(?:[^/]+/)?(?:thank|confirmation|success)"],
};
