/** Offers what the person typed or changed for remembering: the questions only, each with a tick of its own. */

import { say } from "../words.js";
import { labelOf, showButton } from "./draw.js";
import { drawRows, element, part } from "./element.js";

/** @import { ShownField, TabState } from "../types.d.ts" */

/**
 * @param {TabState} state
 * @param {(key: string) => void} show
 */
export function drawLearning({ fields, changed, remembered, phase }, show) {
  const offered = fields.filter(({ key }) => changed.includes(key) && !remembered.includes(key));
  drawRows(part("changed"), offered, ({ key }) => key, (field) => row(field, show));
  part("remember-box").hidden = offered.length === 0 && remembered.length === 0;
  part("remember-form").hidden = offered.length === 0;
  part("remembered").textContent = remembered.length > 0 ? say("remembered", remembered.length) : "";
  part("remember").toggleAttribute("disabled", phase === "filling" || phase === "undoing");
}

/** @returns {string[]} the keys the person ticked */
export function tickedKeys() {
  return [...part("changed").querySelectorAll("input")].flatMap((box) => (box.checked ? [box.value] : []));
}

/** @returns {"everywhere" | "employer"} */
export function chosenScope() {
  const box = part("scope");
  return box instanceof HTMLSelectElement && box.value === "employer" ? "employer" : "everywhere";
}

/**
 * @param {ShownField} field
 * @param {(key: string) => void} show
 */
function row(field, show) {
  const box = element("input", { type: "checkbox", value: field.key });
  return element("li", {}, element("label", {}, box, labelOf(field)), element("p", { class: "origin" }, showButton(field, show)));
}
