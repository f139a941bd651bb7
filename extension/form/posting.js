/**
 * Says which posting a page is about, by what it states for machines (schema.org JobPosting) or in its title.
 * What is not stated is null; nothing is guessed from prose.
 */

import { find, findAll, titleOf } from "./native.js";
import { oneLine } from "./words.js";

/** @import { PostingFacts } from "../types.d.ts" */

const TITLE_FORMS = [
  /^Job Application for (?<title>.+?) at (?<company>[^|]+?)$/i,
  /^Apply (?:for|to) (?<title>.+?) at (?<company>[^|]+?)$/i,
];
const LONGEST_DATA = 200_000;

/**
 * @param {Document} page
 * @returns {PostingFacts}
 */
export function postingOn(page) {
  const stated = statedOn(page);
  const form = TITLE_FORMS.map((one) => one.exec(oneLine(titleOf(page)))?.groups).find(Boolean);
  return {
    company: stated.company ?? short(form?.["company"], 300),
    title: stated.title ?? short(form?.["title"] ?? headingOf(page), 300),
    requisition_id: stated.requisition_id,
  };
}

/**
 * @param {Document} page
 * @returns {PostingFacts}
 */
function statedOn(page) {
  for (const script of findAll(page, 'script[type="application/ld+json"]')) {
    const posting = jobPosting(script.textContent ?? "");
    if (!posting) continue;
    return {
      company: short(part(posting["hiringOrganization"], "name") ?? posting["hiringOrganization"], 300),
      title: short(posting["title"], 300),
      requisition_id: short(part(posting["identifier"], "value") ?? posting["identifier"], 200),
    };
  }
  return { company: null, title: null, requisition_id: null };
}

/**
 * @param {string} text
 * @returns {Record<string, unknown> | null}
 */
function jobPosting(text) {
  if (text.length > LONGEST_DATA) return null;
  try {
    const data = /** @type {unknown} */ (JSON.parse(text));
    for (const one of Array.isArray(data) ? data : [data]) if (part(one, "@type") === "JobPosting") return one;
  } catch {
    return null; // what a page states wrongly is not stated
  }
  return null;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown}
 */
function part(value, name) {
  return typeof value === "object" && value !== null ? /** @type {Record<string, unknown>} */ (value)[name] : undefined;
}

/** @param {Document} page */
function headingOf(page) {
  return find(page, "h1")?.textContent ?? undefined;
}

/**
 * @param {unknown} value
 * @param {number} most
 */
function short(value, most) {
  return typeof value === "string" && oneLine(value) ? oneLine(value).slice(0, most) : null;
}
