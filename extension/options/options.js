/** The settings page: where the person's server is, pairing by code, and letting go of it again. */

import { pair, Refused } from "../api.js";
import { connection, disconnect, onConnectionChange, serverAddress } from "../connection.js";
import { forgetLetters } from "../outbox.js";
import { forgetSubmissions } from "../submissions.js";
import { chooseWords } from "../tongue.js";
import { say, translate } from "../words.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("pair"));

// Before anything is waited for: a person may type and press while the rest is still being looked up.
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void submit();
});
part("disconnect").addEventListener("click", () => void disconnect());

const { server, device_name } = await connection();
box("server").value ||= server;
box("device").value ||= device_name || thisBrowser();
await chooseWords();
translate(document);
document.title = say("options_title");
onConnectionChange(() => void draw());
await draw();

async function submit() {
  complain("", null);
  const address = serverAddress(box("server").value);
  if (!address) return complain(say("error_server"), "server");
  if (box("code").value.trim() === "") return complain(say("error_code"), "code");
  if (box("device").value.trim() === "") return complain(say("error_device"), "device");
  try {
    await pair(address, { code: box("code").value.trim(), device_name: box("device").value.trim() }, letGo);
    form.reset();
    box("server").value = address;
    await draw();
  } catch (error) {
    complain(wordsOf(error, address), boxOf(error));
  }
}

/** Letters and receipts are numbered by one server and mean other fills at another. */
async function letGo() {
  await Promise.all([forgetLetters(), forgetSubmissions()]);
}

/**
 * @param {unknown} error
 * @param {string} address
 */
function wordsOf(error, address) {
  if (!(error instanceof Refused)) throw error;
  // Of a server that was never reached nothing is known yet: nothing waits for it.
  if (error.code === "server_gone") return say("error_nobody", address);
  return say(`trouble_${error.code}`, address) || error.detail || say("trouble_other", error.code);
}

/**
 * @param {unknown} error
 * @returns {string | null} the box to look at
 */
function boxOf(error) {
  if (!(error instanceof Refused)) return null;
  if (error.code === "server_gone") return "server";
  return error.code.startsWith("pairing_code") ? "code" : null;
}

async function draw() {
  const { token, account_name, server: address, is_revoked, device_name: name } = await connection();
  part("paired").hidden = token === null;
  const unpaired = say(is_revoked ? "state_revoked" : "state_unpaired");
  part("state").textContent = token === null ? unpaired : say("state_paired", name, account_name, address);
}

/**
 * @param {string} words
 * @param {string | null} id the box that is wrong
 */
function complain(words, id) {
  part("error").textContent = words;
  part("error").hidden = words === "";
  for (const one of ["server", "code", "device"]) {
    box(one).toggleAttribute("aria-invalid", false);
    if (one === id) {
      box(one).setAttribute("aria-invalid", "true");
      box(one).focus();
    }
  }
}

/** @param {string} id */
function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** @param {string} id */
function box(id) {
  return /** @type {HTMLInputElement} */ (part(id));
}

/** A name by which the person will know this browser in the list of devices. */
function thisBrowser() {
  const brand = navigator.userAgent.includes("Firefox") ? "Firefox" : navigator.userAgent.includes("Edg/") ? "Edge" : "Chrome";
  const system = ["Windows", "Mac OS", "CrOS", "Android", "Linux"].find((one) => navigator.userAgent.includes(one)) ?? "";
  return `${brand} ${system}`.trim();
}
