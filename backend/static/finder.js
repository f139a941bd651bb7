// A search that answers while somebody types. The form asks by GET as it does without scripts; of the page it leads to
// the results alone are put into the element named by data-finder. An older answer never replaces a newer one.
const WAIT_MS = 120;

for (const form of document.querySelectorAll("form[data-finder]")) {
  const place = document.querySelector(form.dataset.finder);
  const field = form.querySelector("input[type=search]");
  let timer = 0;
  let asked = null;
  let shown = "";

  async function find() {
    const words = field.value.trim();
    if (words === shown) return;
    asked?.abort();
    asked = new AbortController();
    if (!words) return void put(words);
    const query = new URLSearchParams(new FormData(form));
    try {
      const answer = await fetch(`${form.action}?${query}`, {
        headers: { accept: "text/html", "x-live": "1" },
        signal: asked.signal,
      });
      if (!answer.ok || answer.redirected) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      put(words, page.querySelector(form.dataset.finder));
    } catch {
      // Superseded by the next letter, or not connected: the button still leads to the results.
    }
  }

  function put(words, found) {
    shown = words;
    place.replaceChildren(...(found ? document.adoptNode(found).childNodes : []));
  }

  const choices = () => [...place.querySelectorAll("button, a.button")];

  // Down from the field into the results and back; enter goes to the first, which a second enter chooses.
  function step(event) {
    if (event.key === "Escape") return event.target === field ? field.blur() : field.focus();
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = choices();
    if (!by || !all.length) return;
    event.preventDefault();
    const next = all.indexOf(document.activeElement) + by;
    (next < 0 ? field : all[Math.min(next, all.length - 1)]).focus();
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, WAIT_MS);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || field.value.trim() !== shown || !choices().length) return;
    event.preventDefault();
    choices()[0].focus();
  });
  form.addEventListener("keydown", step);
  place.addEventListener("keydown", step);
}
