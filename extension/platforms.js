/**
 * Hiring platforms: where their forms live, so that a permission can be asked for. What is known of their pages
 * stands in `form/knowledge/`, found by the pages' own marks.
 */

/**
 * @typedef {object} Platform
 * @property {string} host as in the manifest's optional host permissions
 */

/** @type {Platform[]} */
export const PLATFORMS = [
  { host: "ashbyhq.com" },
  { host: "bamboohr.com" },
  { host: "breezy.hr" },
  { host: "greenhouse.io" },
  { host: "icims.com" },
  { host: "jobvite.com" },
  { host: "lever.co" },
  { host: "myworkdayjobs.com" },
  { host: "personio.com" },
  { host: "personio.de" },
  { host: "recruitee.com" },
  { host: "rippling.com" },
  { host: "smartrecruiters.com" },
  { host: "teamtailor.com" },
  { host: "workable.com" },
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
