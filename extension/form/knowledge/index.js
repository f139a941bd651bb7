/**
 * Which hiring platform a page is of, told by the page's own marks: employers embed these forms on pages of
 * their own, under addresses of their own. A page without marks is read by the general engine alone.
 */

import { find } from "../native.js";
import { ASHBY } from "./ashby.js";
import { BAMBOOHR } from "./bamboohr.js";
import { BREEZY } from "./breezy.js";
import { GREENHOUSE } from "./greenhouse.js";
import { ICIMS } from "./icims.js";
import { JOBVITE } from "./jobvite.js";
import { LEVER } from "./lever.js";
import { PERSONIO } from "./personio.js";
import { RECRUITEE } from "./recruitee.js";
import { RIPPLING } from "./rippling.js";
import { SMARTRECRUITERS } from "./smartrecruiters.js";
import { SUCCESSFACTORS } from "./successfactors.js";
import { TEAMTAILOR } from "./teamtailor.js";
import { WORKABLE } from "./workable.js";
import { WORKDAY } from "./workday.js";

/** @import { Knowledge } from "./types.d.ts" */

/** @type {Knowledge[]} */
export const KNOWN = [
  GREENHOUSE, LEVER, ASHBY, WORKDAY, SMARTRECRUITERS, WORKABLE, ICIMS, BAMBOOHR, TEAMTAILOR, PERSONIO, RECRUITEE,
  RIPPLING, JOBVITE, SUCCESSFACTORS, BREEZY,
];

/** @type {Knowledge} */
const NOTHING = { platform: "", marks: [] };
/** @type {WeakMap<Document, { found: Knowledge, at: number }>} */
const looked = new WeakMap();
const LOOK_AGAIN_MS = 500;

/**
 * @param {Document} page
 * @returns {Knowledge} what is known of this page; one without a platform when nothing is
 */
export function knownOf(page) {
  const before = looked.get(page);
  const now = performance.now();
  if (before && (before.found.platform || now - before.at < LOOK_AGAIN_MS)) return before.found;
  const found = KNOWN.find((one) => find(page, one.marks.join(", "))) ?? NOTHING;
  looked.set(page, { found, at: now });
  return found;
}

/**
 * @param {string[] | undefined} selectors
 * @returns {string} one selector; one that matches nothing for none
 */
export function anyOf(selectors) {
  return selectors?.length ? selectors.join(", ") : ":not(*)";
}
