/**
 * Checks what comes from elsewhere: a message or an answer is used only when it has the shape it should have,
 * and only the parts that were expected of it. Knows no message.
 */

/**
 * @template T
 * @typedef {(value: unknown, at?: string) => T} Shape
 */

/** What came has another shape; `message` names the place, never the value. */
export class Misshapen extends Error {}

/**
 * @param {number} most characters
 * @returns {Shape<string>}
 */
export const text = (most) => (value, at = "") => {
  if (typeof value !== "string" || value.length > most) throw new Misshapen(at);
  return value;
};

/** @type {Shape<number>} a whole number from 0 */
export const count = (value, at = "") => {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new Misshapen(at);
  return value;
};

/** @type {Shape<number>} */
export const amount = (value, at = "") => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Misshapen(at);
  return value;
};

/** @type {Shape<boolean>} */
export const flag = (value, at = "") => {
  if (typeof value !== "boolean") throw new Misshapen(at);
  return value;
};

/**
 * @template {string} Word
 * @param {...Word} words
 * @returns {Shape<Word>}
 */
export const oneOf = (...words) => (value, at = "") => {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new Misshapen(at);
  return found;
};

/**
 * @template T
 * @param {Shape<T>} inner
 * @returns {Shape<T | null>} null also when it is absent
 */
export const maybe = (inner) => (value, at = "") => (value === null || value === undefined ? null : inner(value, at));

/**
 * @template T
 * @param {Shape<T>} inner
 * @param {number} most entries
 * @returns {Shape<T[]>}
 */
export const list = (inner, most) => (value, at = "") => {
  if (!Array.isArray(value) || value.length > most) throw new Misshapen(at);
  return value.map((one, n) => inner(one, `${at}[${n}]`));
};

/**
 * @template {Record<string, Shape<any>>} Parts
 * @param {Parts} parts
 * @returns {Shape<{ [Name in keyof Parts]: ReturnType<Parts[Name]> }>} unknown parts are dropped
 */
export const object = (parts) => (value, at = "") => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Misshapen(at);
  const given = /** @type {Record<string, unknown>} */ (value);
  const entries = Object.entries(parts).map(([name, part]) => [name, part(given[name], `${at}.${name}`)]);
  return Object.fromEntries(entries);
};

/**
 * Messages of several kinds, told apart by their `type`.
 * @template {Record<string, Record<string, Shape<any>>>} Kinds
 * @param {Kinds} kinds
 * @returns {Shape<{ [Type in keyof Kinds]: { type: Type } & { [Name in keyof Kinds[Type]]: ReturnType<Kinds[Type][Name]> } }[keyof Kinds]>}
 */
export const variants = (kinds) => (value, at = "message") => {
  const { type } = object({ type: oneOf(...Object.keys(kinds)) })(value, at);
  const parts = kinds[type];
  if (!parts) throw new Misshapen(at);
  return /** @type {any} */ ({ type, ...object(parts)(value, at) });
};
