/** Makes and finds the elements of the panel. */

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the panel has no ${id}`);
  return found;
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} inside
 * @returns {HTMLElement}
 */
export function element(name, attributes, ...inside) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...inside);
  return made;
}

/**
 * @param {string} words
 * @param {() => void} act
 * @param {Record<string, string>} [more]
 */
export function button(words, act, more = {}) {
  const made = element("button", { type: "button", ...more }, words);
  made.addEventListener("click", act);
  return made;
}

/**
 * Rows are made anew only when they are other rows, so that focus, ticks and what is being typed stay.
 * @template T
 * @param {HTMLElement} list
 * @param {T[]} things
 * @param {(thing: T) => string} nameOf
 * @param {(thing: T) => HTMLElement} make
 */
export function drawRows(list, things, nameOf, make) {
  const old = new Map([...list.children].flatMap((row) => (row instanceof HTMLElement ? [[row.dataset["of"] ?? "", row]] : [])));
  const rows = things.map((thing) => {
    const name = nameOf(thing);
    const row = old.get(name) ?? make(thing);
    row.dataset["of"] = name;
    return row;
  });
  const isSame = rows.length === list.children.length && rows.every((row, n) => row === list.children[n]);
  if (!isSame) list.replaceChildren(...rows);
  const section = list.closest("section");
  if (section) section.hidden = things.length === 0;
}
