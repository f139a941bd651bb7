// Keeps marked parts of a page fresh. The server says that a topic changed, or how a task stands now. For a topic
// the page reads itself again and swaps the elements marked data-live="topic ..." that carry an id; a task's bar
// moves in place. Nothing somebody is typing into is touched.
const WAIT_MS = 250;
const GAP_MS = 1000;
const LOST_AFTER_MS = 3000;
const STATUSES_MOST = 500;
const GONE = 404;
const OF_A_FORM = new Set([400, 405, 422]);
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const FIELDS = "input:not([type=hidden]), textarea, select";

const due = new Set();
const held = new Set();
const statuses = new Map();
const meanwhile = new Map();
let timer = 0;
let lost = 0;
let reading = false;
let over = false;
let source = null;
let seen = new Date();
let readAt = -GAP_MS;

// An answer to a form is read again where its page is. The part it leads to stays in the address, and so in view.
const at = document.getElementById("main")?.dataset.at;
if (at && new URL(at, location.href).pathname !== location.pathname) {
  history.replaceState(null, "", at + location.hash);
}

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

// What was read stays as it is, and is said to be out of date. When it was written anew and shows the same, the forms
// take the new version over: their answer rests on nothing else.
function warn(part, fresh) {
  const [was, is] = [part.dataset.version, fresh?.dataset.version];
  if (was === is) return;
  const isSame = Boolean(part.dataset.shows) && part.dataset.shows === fresh?.dataset.shows;
  const notice = part.querySelector("[data-superseded]");
  if (notice) notice.hidden = isSame;
  if (!isSame) return;
  part.dataset.version = is;
  for (const field of document.querySelectorAll("input[name=version]")) if (field.value === was) field.value = is;
}

function swap(part, fresh) {
  const focused = part.contains(document.activeElement) ? handle(document.activeElement) : null;
  const open = [...part.querySelectorAll("details[open][id]")].map((details) => details.id);
  part.replaceWith(fresh);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) fresh.querySelector(focused)?.focus({ preventScroll: true });
}

async function refresh() {
  timer = 0;
  const wanted = parts().filter(isDue);
  if (reading || over || document.hidden || !wanted.length) return;
  reading = true;
  readAt = performance.now();
  const topics = [...due];
  let again;
  due.clear();
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html", "x-live": "1" } });
    if (answer.redirected && new URL(answer.url).pathname !== location.pathname) return leave();
    if (answer.status === GONE) return wanted.filter((part) => part.dataset.version).forEach((part) => warn(part));
    if (OF_A_FORM.has(answer.status)) return rest();
    if (!answer.ok) throw new Error("not fresh");
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of wanted) {
      const fresh = page.getElementById(part.id);
      if (part.dataset.version) warn(part, fresh);
      else if (isBusy(part)) topicsOf(part).forEach((topic) => held.add(topic));
      else if (fresh && !fresh.isEqualNode(part)) swap(part, document.adoptNode(fresh));
    }
    seen = new Date();
    if (!lost) say("");
  } catch {
    topics.forEach((topic) => due.add(topic));
    say(stale());
    again = LOST_AFTER_MS;
  } finally {
    reading = false;
    const heard = [...meanwhile.values()];
    meanwhile.clear();
    heard.forEach(tell);
    if (due.size) schedule(again);
  }
}

// The session has ended: what is shown stays, and nothing is asked any more.
function leave() {
  over = true;
  clearTimeout(lost);
  due.clear();
  say("You are signed out. Load the page to sign in again.");
}

// What a form answered with stands at no address of its own: it is read once and stays.
function rest() {
  over = true;
  due.clear();
}

const stale = () => `Not connected. This page shows how things stood at ${seen.toLocaleTimeString([], CLOCK)}.`;

function say(text) {
  const place = document.getElementById("connection");
  if (!place) return;
  place.hidden = !text;
  place.textContent = text;
}

function plan(topic) {
  due.add(topic);
  schedule();
}

// Under a stream of changes the page still reads, once in a while, and not for each of them.
function schedule(wait = Math.max(WAIT_MS, readAt + GAP_MS - performance.now())) {
  timer ||= setTimeout(refresh, wait);
}

function draw(place, { done, total, note }) {
  for (const bar of place.matches("progress") ? [place] : place.querySelectorAll("progress")) {
    if (total) [bar.max, bar.value] = [total, Math.min(done, total)];
    else bar.removeAttribute("value");
    bar.hidden = false;
  }
  for (const still of place.querySelectorAll("[data-still]")) still.hidden = true;
  const texts = { note, percent: total ? `${Math.min(99, Math.floor((100 * done) / total))} %` : "" };
  for (const text of place.querySelectorAll("[data-progress]")) text.textContent = texts[text.dataset.progress];
}

// A place carries data-task="12", or data-subject="import:5" for whatever works on that. While the status is the one
// shown only the bar moves; another status is read from the page. What is being read may be older than what is heard
// meanwhile, which therefore counts after it.
function tell(task) {
  if (reading) return void meanwhile.set(task.id, task);
  const subjects = Object.entries(task.subjects).map(([name, id]) => `[data-subject="${name}:${id}"]`);
  const places = [...document.querySelectorAll([`[data-task="${task.id}"]`, ...subjects].join())];
  if (task.progress) places.forEach((place) => draw(place, task.progress));
  const isShown = places.length
    ? places.every((place) => place.dataset.status === task.status)
    : statuses.get(task.id) === task.status;
  if (statuses.size >= STATUSES_MOST) statuses.clear();
  statuses.set(task.id, task.status);
  if (!isShown) plan("tasks");
}

function listen() {
  if (over || document.hidden) return;
  source?.close();
  source = new EventSource("/live");
  source.addEventListener("hint", (event) => plan(JSON.parse(event.data).topic));
  source.addEventListener("task", (event) => tell(JSON.parse(event.data)));
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
  document.addEventListener("focusout", () => {
    held.forEach(plan);
    held.clear();
  });
  // What no message tells, such as a worker that went silent, is looked at now and then.
  const seconds = Math.min(...parts().map((part) => Number(part.dataset.again) || Infinity));
  if (seconds < Infinity) setInterval(() => plan("everything"), seconds * 1000);
}
