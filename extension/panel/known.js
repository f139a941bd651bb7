/** Says what is known of the page in front: the posting, whether it is saved, the application, the form. */

import { day, say } from "../words.js";
import { element, part } from "./element.js";

/** @import { PageContext, TabState } from "../types.d.ts" */

/** @param {TabState} state */
export function drawKnown({ context, page_title, phase }) {
  part("about").textContent = page_title || "Jobtrail";
  const sentences = context ? sentencesOf(context) : [];
  part("known").replaceChildren(...sentences.map((words) => element("li", {}, words)));
  part("known").hidden = sentences.length === 0;
  part("save").hidden = context === null || context.is_saved || phase === "reading";
}

/** @param {PageContext} context */
function sentencesOf({ posting, application, is_saved, form }) {
  const when = application?.applied_at;
  return [
    application && (when ? say("known_applied", day(when)) : say("known_application")),
    is_saved && say("known_saved"),
    posting && say(posting.closed_at ? "known_closed" : "known_posting", posting.company ?? posting.title),
    form && say(form.fills === 1 ? "known_form_once" : "known_form", day(form.last_filled_at), form.fills),
    form?.submitted_at && say("known_form_sent", day(form.submitted_at)),
  ].filter((words) => typeof words === "string");
}
