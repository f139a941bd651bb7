/**
 * Names the fields that are the person's alone, and the parts of a page that are no application form. These
 * hold whatever a plan asks: a server that is wrong must not tick a consent.
 */

import { anyOf, knownOf } from "./knowledge/index.js";
import { attribute, is, isDrawn, textIn } from "./native.js";
import { ancestors, closest, walk } from "./walk.js";
import { plain } from "./words.js";

/** @import { Guard, Kind } from "./types.d.ts" */

const CHOSEN = new Set(["checkbox", "checkboxes", "radio", "buttons", "select", "combobox"]);

const CONSENT =
  /\bconsent|\bagrees?\b|\bi (?:accept|acknowledge|certify|confirm|declare|authori[sz]e|understand)\b|acknowledge|einwillig|einverstanden|zustimm|\bich (?:stimme|bestatige|erklare|akzeptiere|versichere|habe .*gelesen)\b|j'(?:accepte|autorise|ai lu)\b|\bje (?:consens|certifie|declare|reconnais|confirme)\b|\bacepto\b|\bconsiento\b|\bautorizo\b|\bdeclaro\b|\bhe leido\b/i;
const CONSENT_BOX =
  /terms (?:and|&|of)|privacy (?:policy|notice|statement)|gdpr|ccpa|arbitration|marketing|newsletter|opt[- ]?in\b|\bsms\b|text messages?|contact me|keep (?:my|me)\b|job alerts?|datenschutz|i(?:'|’)ve read|dsgvo|rgpd|nutzungsbedingungen|conditions generales|confidentialite|terminos y condiciones|politica de privacidad/i;
const SIGNATURE = /\b(?:e-?)?signature\b|\bsign (?:here|below)|\binitials\b|type your (?:full |legal )?name (?:to sign|below)|unterschrift|\bsignez\b|firma (?:digital|electronica|del)|\b(?:su|tu) firma\b|\bfirme aqui\b/i;
const EQUAL_OPPORTUNITY =
  /\bgender|\bsex\b|\bpronouns?\b|\brace\b|ethnic|hispanic|latin[oax]\b|veteran|disabilit|\bdisabled\b|sexual orientation|\blgbt|transgender|\breligio|marital status|geschlecht|behinderung|schwerbehind|familienstand|konfession|\bsexe\b|\b(?:votre|de) genre\b|^genre\b|ethni|handicap|etat civil|situation (?:familiale|de famille)|\bsexo\b|\bgenero\b|discapacidad|estado civil|\betnia\b|\braza\b/i;
const EQUAL_OPPORTUNITY_PART = /self[- ]identif|equal (?:employment )?opportunity|\beeoc?\b|demographic|diversity (?:survey|question|monitoring)/i;
const GOVERNMENT_ID =
  /social security|\bssn\b|national insurance n|passport n|driv(?:er|ing)['’]?s? licen[cs]e n|tax (?:id|payer)|\baadhaar|identity card|ausweisnummer|steuer-?id|sozialversicherungs|passeport|pasaporte|carte (?:nationale )?d'identite|securite sociale|seguridad social|documento (?:nacional )?de identidad|numero fiscal/i;
const BIRTH_DATE = /date of birth|birth ?da(?:te|y)|\bdob\b|geburts(?:datum|tag)|de naissance|de nacimiento|wie alt\b|(?:ihr|dein) alter\b|(?:votre|quel) age\b|\bedad\b/i;
const PAYMENT = /card number|\bcvv\b|\bcvc\b|\biban\b|bank account|routing number|kontonummer|kreditkarte|bankverbindung|numero de (?:la )?carte\b|carte bancaire|(?:compte|cuenta) banca|numero de (?:la )?tarjeta|tarjeta de (?:credito|debito)/i;

const COOKIE_PART = /cookie|onetrust|gdpr-banner|consent-(?:banner|manager)|cookiebot/i;
const CAPTCHA = /captcha|turnstile/i;
const OTHER_FORM = /subscribe|newsletter|job alert|notify me|sign ?in|log ?in/i;
const BOXES =
  "textarea, select, input:not([type=hidden], [type=submit], [type=button], [type=image], [type=reset])";

/**
 * @param {{ kind: Kind, type: string, label: string, name: string, autocomplete: string, group: string,
 *   section: string }} field
 * @returns {Guard | null} why the engine leaves this field alone, whatever is planned
 */
export function guardOf(field) {
  const [words, group] = [plain(`${field.label} ${field.name.replace(/[_-]+/g, " ")}`), plain(field.group)];
  if (field.type === "password" || /password|one-time-code/.test(field.autocomplete)) return "secret";
  if (/^cc-/.test(field.autocomplete) || PAYMENT.test(words)) return "payment";
  if (field.autocomplete.startsWith("bday") || BIRTH_DATE.test(words)) return "birth_date";
  if (GOVERNMENT_ID.test(words)) return "government_id";
  if (field.kind === "text" && SIGNATURE.test(words)) return "signature";
  if (EQUAL_OPPORTUNITY.test(`${words} ${group}`)) return "equal_opportunity";
  if (EQUAL_OPPORTUNITY_PART.test(`${field.group} ${field.section}`)) return "equal_opportunity";
  return isConsent(field.kind, `${words} ${group}`) ? "consent" : null;
}

/**
 * @param {Kind} kind
 * @param {string} words
 */
function isConsent(kind, words) {
  if (CHOSEN.has(kind) && CONSENT.test(words)) return true;
  return kind.startsWith("checkbox") && CONSENT_BOX.test(words);
}

/**
 * Tells the parts of a page that are no application form: search, sign-in, newsletter, cookies, captcha.
 * @returns {(element: Element) => boolean} remembers what it found of each form, so make one per reading
 */
export function elsewhere() {
  /** @type {Map<Element, boolean>} */
  const known = new Map();
  return (element) => {
    if (is(element, '[type="search"], [role="searchbox"], [name="q"]')) return true;
    if (closest(element, '[role="search"], [role="navigation"], nav, footer')) return true;
    if (closest(element, 'header, [role="banner"]') && !closest(element, "form")) return true;
    if (closest(element, anyOf(knownOf(element.ownerDocument).elsewhere))) return true;
    const form = closest(element, "form, dialog");
    if (form && !known.has(form)) known.set(form, isOtherForm(form));
    return (form !== null && known.get(form) === true) || isCaptcha(element) || isCookiePart(element);
  };
}

/** @param {Element} element */
function isCaptcha(element) {
  const own = ["id", "name", "class"].map((one) => attribute(element, one)).join(" ");
  return CAPTCHA.test(own) || closest(element, ".g-recaptcha, .h-captcha, .cf-turnstile") !== null;
}

/** @param {Element} element */
function isCookiePart(element) {
  for (const above of [element, ...ancestors(element)]) {
    if (is(above, "body, html, main")) return false;
    const marks = ["id", "class", "aria-label", "data-controller"].map((one) => attribute(above, one));
    if (marks.some((mark) => COOKIE_PART.test(mark))) return true;
  }
  return false;
}

/**
 * A sign-in has a password; a newsletter is one address box and a button.
 * @param {Element} form
 */
function isOtherForm(form) {
  const boxes = [...walk(form)].filter((one) => is(one, BOXES));
  if (boxes.some((one) => is(one, "[type=password]") && isDrawn(one))) return true;
  return boxes.length === 1 && OTHER_FORM.test(textIn(form));
}
