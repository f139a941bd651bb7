/**
 * Hiring platforms: where their forms live, so that a permission can be asked for, and how their pages show that
 * an application arrived. Small data; what a form asks is found out by the engine, on any page.
 */

/**
 * @typedef {object} Platform
 * @property {string} host as in the manifest's optional host permissions
 * @property {string[]} confirmations selectors that stand on a confirmation only
 */

/** @type {Platform[]} */
export const PLATFORMS = [
  { host: "ashbyhq.com", confirmations: [".ashby-application-form-success-container"] },
  { host: "bamboohr.com", confirmations: [] },
  { host: "breezy.hr", confirmations: [] },
  { host: "greenhouse.io", confirmations: ["#application_confirmation", ".application-confirmation"] },
  { host: "icims.com", confirmations: [] },
  { host: "jobvite.com", confirmations: [] },
  { host: "lever.co", confirmations: ['[data-qa="msg-submit-success"]'] },
  { host: "myworkdayjobs.com", confirmations: ['[data-automation-id="applicationSubmittedPage"]'] },
  { host: "personio.com", confirmations: [] },
  { host: "personio.de", confirmations: [] },
  { host: "recruitee.com", confirmations: [] },
  { host: "rippling.com", confirmations: [] },
  { host: "smartrecruiters.com", confirmations: [] },
  { host: "teamtailor.com", confirmations: [] },
  { host: "workable.com", confirmations: ['[data-ui="successful-submit"]'] },
];

/**
 * @param {string} address of a frame
 * @returns {string | null} the platform's permission pattern, when it is one of ours
 */
export function patternFor(address) {
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  const found = PLATFORMS.find((one) => host === one.host || host.endsWith(`.${one.host}`));
  return found ? `https://*.${found.host}/*` : null;
}
