// Shortcuts of every page. An element names its own key with data-key; the sheet behind "?" lists them. Where one of
// several is meant (data-pick="1"), a digit says which, and the keys inside the others rest.
const TYPING = "input:not([type=checkbox]):not([type=radio]):not([type=submit]):not([type=button]):not([type=hidden]), textarea, select, [contenteditable]";
const SETTLE_MS = 400;
const SENT_MS = 3000;
const root = document.documentElement;
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

// A second stroke meant for the page before must not answer this one before it was read.
const isUnread = (target) => target.matches("[data-answer] button") && !("settled" in root.dataset);
setTimeout(() => (root.dataset.settled = ""), SETTLE_MS);

function press(key) {
  const all = [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)];
  const target = all.find((one) => !one.closest("[data-pick]:not([data-picked])"));
  if (!target) return false;
  if (target.matches(TYPING)) type(target);
  else if (!isUnread(target)) target.click();
  if (target.matches("summary")) target.closest("details[open]")?.querySelector(TYPING)?.focus();
  return true;
}

function pick(digit) {
  const one = document.querySelector(`[data-pick="${digit}"]`);
  if (!one) return false;
  for (const other of document.querySelectorAll("[data-picked]")) delete other.dataset.picked;
  one.dataset.picked = "";
  one.focus({ preventScroll: true });
  one.scrollIntoView({ block: "nearest" });
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
    default: return press(key) || (/^[1-9]$/.test(key) && pick(key));
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const form = event.target.closest?.("form");
    if (!form) return;
    event.preventDefault();
    // By its own first button, as enter does: a button may say what the form means.
    form.requestSubmit([...form.elements].find((element) => element.type === "submit"));
    return;
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches?.(TYPING) || event.key.length !== 1) return;
  if (document.querySelector("dialog[open]") && event.key !== "?") return;
  if (event.repeat && !"jk".includes(event.key)) return;
  if (act(event.key)) event.preventDefault();
});

for (const opener of document.querySelectorAll("[data-sheet]")) {
  opener.hidden = false;
  opener.addEventListener("click", sheet);
}

// What is typed into a password can be looked at. It is hidden again on its way, so that no browser keeps it as text.
for (const eye of document.querySelectorAll("[data-reveal]")) {
  const field = document.getElementById(eye.dataset.reveal);
  const show = (shown) => {
    field.type = shown ? "text" : "password";
    eye.setAttribute("aria-pressed", String(shown));
  };
  eye.hidden = false;
  eye.addEventListener("click", () => show(field.type === "password"));
  field.form.addEventListener("submit", () => show(false));
}

// One press is one answer: a form on its way is not sent again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "1";
  setTimeout(() => delete form.dataset.sent, SENT_MS);
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-sent]")) delete form.dataset.sent;
});

// What was there when the page came is announced by nobody: what is news has the focus, and so is read.
const news = ["#faults", "[data-arrive]", "[autofocus]", "#told"].map((each) => document.querySelector(each));
news.find((each) => each)?.focus({ preventScroll: true });
