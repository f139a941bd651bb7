// Keeps marked parts of a page fresh. The server only says that a topic changed; the page reads itself again and
// swaps the elements marked data-live="topic ..." that carry an id. Nothing somebody is typing into is touched.
const WAIT_MS = 250;
const LOST_AFTER_MS = 3000;
const FIELDS = "input:not([type=hidden]), textarea, select";

const due = new Set();
let timer = 0;
let lost = 0;
let reading = false;
let over = false;
let source = null;
let seen = new Date();

const parts = () => [...document.querySelectorAll("[data-live][id]")];
const topicsOf = (part) => part.dataset.live.split(/\s+/);
const isDue = (part) => due.has("everything") || topicsOf(part).some((topic) => due.has(topic));

function isTouched(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

function isBusy(part) {
  const focused = document.activeElement;
  if (part.contains(focused) && focused.matches(FIELDS)) return true;
  return [...part.querySelectorAll(FIELDS)].some(isTouched);
}

function handle(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  const row = element.closest("[data-row]");
  const href = element.getAttribute("href");
  const within = row ? `[data-row="${CSS.escape(row.dataset.row)}"] ` : "";
  return within + (href ? `a[href="${CSS.escape(href)}"]` : element.tagName.toLowerCase());
}

function swap(part, fresh) {
  const focused = part.contains(document.activeElement) ? handle(document.activeElement) : null;
  const open = [...part.querySelectorAll("details[open][id]")].map((details) => details.id);
  part.replaceWith(fresh);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) fresh.querySelector(focused)?.focus({ preventScroll: true });
}

async function refresh() {
  const wanted = parts().filter(isDue);
  if (reading || over || !wanted.length) return;
  reading = true;
  const topics = [...due];
  due.clear();
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html", "x-live": "1" } });
    if (answer.redirected && new URL(answer.url).pathname !== location.pathname) return leave();
    if (!answer.ok) throw new Error("not fresh");
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of wanted) {
      const fresh = page.getElementById(part.id);
      if (isBusy(part)) topicsOf(part).forEach((topic) => due.add(topic));
      else if (fresh && !fresh.isEqualNode(part)) swap(part, document.adoptNode(fresh));
    }
    seen = new Date();
    if (!lost) say("");
  } catch {
    topics.forEach((topic) => due.add(topic));
    say(stale());
    clearTimeout(timer);
    timer = setTimeout(refresh, LOST_AFTER_MS);
  } finally {
    reading = false;
  }
}

// The session has ended: what is shown stays, and nothing is asked any more.
function leave() {
  over = true;
  clearTimeout(lost);
  say("You are signed out. Load the page to sign in again.");
}

const stale = () => `Not connected. This page shows how things stood at ${seen.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}.`;

function say(text) {
  const place = document.getElementById("connection");
  if (!place) return;
  place.hidden = !text;
  place.textContent = text;
}

function plan(topic) {
  due.add(topic);
  clearTimeout(timer);
  timer = setTimeout(refresh, WAIT_MS);
}

function listen() {
  if (over || document.hidden) return;
  source?.close();
  source = new EventSource("/live");
  source.addEventListener("hint", (event) => plan(JSON.parse(event.data).topic));
  source.addEventListener("open", () => {
    clearTimeout(lost);
    lost = 0;
    plan("everything");
  });
  source.addEventListener("error", () => {
    lost ||= setTimeout(() => say(stale()), LOST_AFTER_MS);
    // A refused stream is not tried again by the browser; the session may have ended, or the server restarts.
    if (source.readyState !== EventSource.CLOSED) return;
    plan("everything");
    setTimeout(listen, LOST_AFTER_MS);
  });
}

function pause() {
  source?.close();
  source = null;
  clearTimeout(lost);
  lost = 0;
}

if (parts().length) {
  listen();
  // A browser opens six connections to one server at most: pages nobody looks at give theirs up.
  document.addEventListener("visibilitychange", () => (document.hidden ? pause() : listen()));
  addEventListener("pagehide", pause);
  addEventListener("pageshow", (event) => event.persisted && listen());
  document.addEventListener("focusout", () => due.size && plan([...due][0]));
}
