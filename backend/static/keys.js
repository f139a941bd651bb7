// Shortcuts of every page. An element names its own key with data-key; the sheet behind "?" lists them.
const TYPING = "input:not([type=checkbox]):not([type=radio]):not([type=submit]):not([type=button]), textarea, select, [contenteditable]";
let going = false;

function rows() {
  return [...document.querySelectorAll("[data-row]")].filter((row) => row.offsetParent !== null);
}

function move(step) {
  const all = rows();
  if (!all.length) return;
  const here = all.findIndex((row) => row.contains(document.activeElement));
  const next = all[Math.min(Math.max(here + step, 0), all.length - 1)];
  const target = next.querySelector("a[href], button") ?? next;
  target.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

// What stands there is selected, so that typing replaces it.
function type(field) {
  field.focus();
  field.select?.();
}

function press(key) {
  const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!target) return false;
  if (target.matches(TYPING)) type(target);
  else target.click();
  return true;
}

function go(key) {
  going = false;
  const place = document.querySelector(`[data-go="${CSS.escape(key)}"]`);
  if (place) location.assign(place.href);
  return Boolean(place);
}

function sheet() {
  const keys = document.querySelector("dialog#keys");
  if (keys?.open) keys.close();
  else keys?.showModal();
  return true;
}

function act(key) {
  if (going) return go(key);
  switch (key) {
    case "j": move(1); return true;
    case "k": move(-1); return true;
    case "?": return sheet();
    case "g": going = true; setTimeout(() => (going = false), 2000); return true;
    case "/": {
      const search = document.querySelector("[data-search]");
      if (search) type(search);
      return Boolean(search);
    }
    default: return press(key);
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const form = event.target.closest?.("form");
    if (form) { event.preventDefault(); form.requestSubmit(); }
    return;
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches?.(TYPING) || event.key.length !== 1) return;
  if (document.querySelector("dialog[open]") && event.key !== "?") return;
  if (act(event.key)) event.preventDefault();
});

for (const opener of document.querySelectorAll("[data-sheet]")) {
  opener.hidden = false;
  opener.addEventListener("click", sheet);
}

document.querySelector("#faults")?.focus();
