/** What a clip, a mask or a colour leaves to see of a part of a page, told from its computed style. It looks at no page. */

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Edges in pixels of the window */

const NOTHING = 2;
/** @type {Record<string, (inside: string, box: Edges) => Edges>} */
const SHAPES = { inset, circle: round, ellipse: round, polygon };

/**
 * @param {string} path a computed clip-path
 * @param {Edges} box of what it cuts
 * @returns {Edges | null} what is left; null where all is, or it cannot be told
 */
export function leftBy(path, box) {
  const found = /^(inset|circle|ellipse|polygon)\((.*)\)$/.exec(path);
  const [, shape = "", inside = ""] = found ?? [];
  const left = SHAPES[shape]?.(inside, box) ?? null;
  return left && Object.values(left).every(Number.isFinite) ? left : null;
}

/**
 * @param {Edges} one
 * @param {Edges} other
 * @returns {boolean} too little of the one stands within the other to be seen
 */
export function isOutOf(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width <= NOTHING || height <= NOTHING;
}

/**
 * @param {string} image a computed mask or background image
 * @returns {{ isClear: boolean, isSolid: boolean }} of a gradient; a picture is neither
 */
export function gradient(image) {
  const colours = /gradient\(/.test(image) && !/url\(/.test(image) ? (image.match(/\b(?:rgba?|color|oklch|oklab|lab|lch)\([^()]*\)/g) ?? []) : [];
  const alphas = colours.map(alphaOf);
  return {
    isClear: alphas.length > 0 && alphas.every((one) => one < 0.05),
    isSolid: alphas.length > 0 && alphas.every((one) => one > 0.9),
  };
}

/** @param {string} colour as computed */
export function alphaOf(colour) {
  if (colour === "transparent") return 0;
  const [, alpha, percent] = /(?:^rgba\([^)]*,|\/) ?([\d.]+)(%?)\)$/.exec(colour) ?? [];
  return alpha === undefined ? 1 : Number(alpha) / (percent ? 100 : 1);
}

/**
 * @param {string} colour as computed
 * @returns {number[] | null} its red, green and blue; null in a notation that would have to be reckoned
 */
export function partsOf(colour) {
  return /^rgba?\(/.test(colour) ? (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number) : null;
}

/**
 * @param {string} inside
 * @param {Edges} box
 * @returns {Edges}
 */
function inset(inside, box) {
  const parts = inside.replace(/ round .*$/, "").split(" ");
  const [top, right = top, bottom = top, left = right] = parts;
  return {
    top: box.top + length(top, box.bottom - box.top),
    right: box.right - length(right, box.right - box.left),
    bottom: box.bottom - length(bottom, box.bottom - box.top),
    left: box.left + length(left, box.right - box.left),
  };
}

/**
 * @param {string} inside
 * @param {Edges} box
 * @returns {Edges}
 */
function round(inside, box) {
  const [radii = "", at = "50% 50%"] = inside.split(/ ?at /);
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const [across, along] = radii.trim().split(" ");
  const [x, y] = at.split(" ");
  const rx = length(across, along === undefined ? Math.hypot(width, height) / Math.SQRT2 : width);
  const ry = along === undefined ? rx : length(along, height);
  const middle = { x: box.left + length(x, width), y: box.top + length(y, height) };
  return { left: middle.x - rx, right: middle.x + rx, top: middle.y - ry, bottom: middle.y + ry };
}

/**
 * @param {string} inside
 * @param {Edges} box
 * @returns {Edges} around its corners; without any extent where they stand in one line
 */
function polygon(inside, box) {
  const corners = inside.replace(/^(?:evenodd|nonzero), /, "").split(", ").map((corner) => corner.split(" "));
  const x = corners.map(([across]) => box.left + length(across, box.right - box.left));
  const y = corners.map(([, along]) => box.top + length(along, box.bottom - box.top));
  const next = (/** @type {number[]} */ of, /** @type {number} */ n) => of[(n + 1) % of.length] ?? 0;
  const area = x.reduce((sum, at, n) => sum + at * next(y, n) - next(x, n) * (y[n] ?? 0), 0) / 2;
  if (Math.abs(area) <= NOTHING) return { left: 0, right: 0, top: 0, bottom: 0 };
  return { left: Math.min(...x), right: Math.max(...x), top: Math.min(...y), bottom: Math.max(...y) };
}

/**
 * @param {string | undefined} text
 * @param {number} of what a percentage is of
 * @returns {number} NaN for a length that would have to be reckoned
 */
function length(text, of) {
  const [, amount, unit] = /^(-?[\d.]+)(px|%)?$/.exec(text ?? "") ?? [];
  return amount === undefined ? NaN : unit === "%" ? (Number(amount) * of) / 100 : Number(amount);
}
