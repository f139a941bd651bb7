/**
 * What the rebuilt forms share: controls that keep their own state as a framework does, so that a value written
 * past them is lost. `window.__state` is the committed state, `window.__touched` what was acted on of the fields
 * that are to be left alone.
 */

export const state = (window.__state = {});
window.__touched = [];
window.__submits = 0;

const proto = (element) => (element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement).prototype;
const native = (element) => Object.getOwnPropertyDescriptor(proto(element), "value");

export function commit(name, value) {
  if (value === "" || value === null || value === undefined) delete state[name];
  else state[name] = value;
}

/** A box as React holds one: it hears only of values its own setter did not set, and draws the state again. */
export function controlled(box, name = box.name || box.id, read = (text) => text) {
  const own = native(box);
  let known = box.value;
  Object.defineProperty(box, "value", {
    configurable: true,
    get: () => own.get.call(box),
    set: (value) => { known = String(value); own.set.call(box, value); },
  });
  box.addEventListener("input", () => {
    const now = own.get.call(box);
    if (now !== known) { known = now; commit(name, read(now)); }
    setTimeout(() => { if (box.isConnected && box.value !== (state[name] ?? "")) box.value = state[name] ?? ""; });
  });
  return box;
}

/** Plain boxes, lists, radios and boxes of a form, without a framework. */
export function plainForm(form) {
  const note = (one) => {
    const name = one.name || one.id;
    if (one.type === "file") commit(name, one.files[0]?.name);
    else if (one.type === "radio") { if (one.checked) commit(name, one.value); }
    else if (one.type === "checkbox") {
      const all = [...form.querySelectorAll("input[type=checkbox]")].filter((other) => other.name === one.name);
      commit(name, all.filter((other) => other.checked).map((other) => other.value).join("\n"));
    } else if (one instanceof HTMLSelectElement && one.multiple) commit(name, [...one.selectedOptions].map((o) => o.text).join("\n"));
    else if (one instanceof HTMLSelectElement) commit(name, one.selectedOptions[0]?.value ? one.selectedOptions[0].text.trim() : "");
    else commit(name, one.value);
  };
  form.addEventListener("change", (event) => { if ("value" in event.target) note(event.target); });
}

export function controlAll(root) {
  for (const box of root.querySelectorAll("input:not([type]), input[type=text], input[type=email], input[type=tel], input[type=url], textarea")) {
    if (!box.hasAttribute("data-own")) controlled(box);
  }
}

/** A list drawn at the end of the page; told of presses, closes on Escape, choosing and on leaving its control. */
export function menu(control, { options, chosen, markup = (label) => `<li role="option">${label}</li>`, role = "listbox", within = document.body, marks = {} }) {
  let list = null;
  const close = () => { list?.remove(); list = null; control.setAttribute("aria-expanded", "false"); };
  const draw = (labels) => {
    if (!list) return;
    list.innerHTML = labels.map(markup).join("") || "<li>No options</li>";
  };
  const open = (labels = options) => {
    if (list) return;
    list = document.createElement("ul");
    list.setAttribute("role", role);
    for (const [name, value] of Object.entries(marks)) list.setAttribute(name, value);
    within.append(list);
    control.setAttribute("aria-expanded", "true");
    draw(labels);
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest('[role="option"], [role="menuitem"]');
      if (option) { const label = option.textContent.trim(); close(); chosen(label); }
    });
  };
  control.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  control.addEventListener("blur", () => setTimeout(close));
  return { open, close, draw, isOpen: () => list !== null };
}

/** A button that opens a list. */
export function dropdown(button, name, options, how = {}) {
  const chosen = (label) => { commit(name, label); (how.label ?? button).textContent = label; };
  const list = menu(button, { options, chosen, ...how });
  button.addEventListener("click", () => (list.isOpen() ? list.close() : list.open()));
}

/** A box that looks up what is typed, after a while; what is typed and not chosen is dropped on leaving. */
export function lookup(box, name, all, how = {}) {
  const own = native(box);
  let chosenLabel = "";
  const list = menu(box, { options: [], chosen: (label) => { chosenLabel = label; commit(name, label); own.set.call(box, label); }, ...how });
  let timer = 0;
  box.addEventListener("input", () => {
    commit(name, "");
    chosenLabel = "";
    clearTimeout(timer);
    if (!list.isOpen()) list.open([]);
    list.draw([]);
    timer = setTimeout(() => list.draw(all.filter((one) => box.value && one.toLowerCase().includes(box.value.toLowerCase()))), how.wait ?? 200);
  });
  if (how.opens) box.addEventListener("focus", () => list.open(all.slice(0, 3)));
  box.addEventListener("blur", () => setTimeout(() => { if (box.value !== chosenLabel) own.set.call(box, chosenLabel); }));
}

/** A press by a script on what guards against robots is noticed. */
export function guard(elements) {
  for (const one of elements) one.addEventListener("click", (event) => { if (!event.isTrusted) window.__touched.push("captcha"); });
}

export function trap(elements) {
  for (const one of elements) {
    for (const type of ["input", "change", "click"]) {
      one.addEventListener(type, () => window.__touched.push(one.name || one.id), { capture: true });
    }
  }
}

addEventListener("submit", (event) => { event.preventDefault(); window.__submits += 1; }, true);
