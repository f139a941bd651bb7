/**
 * The service worker: hears the toolbar button, the panel and the pages, checks each message, and hands it to the
 * file whose matter it is. It decides nothing and remembers nothing itself; it may be ended at any moment.
 */

import { thisDevice } from "./api.js";
import { keepToOurselves } from "./connection.js";
import { fill, noteDone, noteOutcomes, postReport, show, stop, undo } from "./filling.js";
import { fromPage, fromPanel } from "./messages.js";
import { deliver, waiting } from "./outbox.js";
import { COMES_BACK, dropWhenLeft, look, read, troubleOf } from "./reading.js";
import { change, forgetTab, setTrouble, stateOf } from "./state.js";
import { noteAnswer, noteArrival, noteClosed, noteRecorded, noteSeen, noteStartup, noteVerdict } from "./submissions.js";
import { Turns } from "./turns.js";

/** @import { Of } from "./messages.js" */
/** @import { Refused } from "./api.js" */
/** @import { Letter } from "./outbox.js" */

const PANEL = chrome.runtime.getURL("panel/");
const words = new Turns();

void keepToOurselves();

chrome.action.onClicked.addListener((tab) => {
  if (tab.id === undefined) return;
  openPanel(tab.id, tab.index + 1);
  void look(tab.id);
});

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  if (sender.id !== chrome.runtime.id) return false;
  const heard = sender.url?.startsWith(PANEL) ? heedPanel(message) : heedPage(message, sender);
  heard.then(
    () => answer(true),
    (error) => {
      console.error(error);
      answer(false);
    },
  );
  return true;
});

chrome.tabs.onUpdated.addListener((tab, { status }) => {
  if (status === "complete") void arrive(tab);
});

chrome.tabs.onRemoved.addListener((tab) => {
  void noteClosed(tab).then(() => forgetTab(tab));
});

chrome.runtime.onStartup.addListener(() => void noteStartup().then(send));

/**
 * Beside the page, or as a tab where the browser has no side panel. Nothing is awaited before it opens: by then
 * the browser would have forgotten the click.
 * @param {number} tab
 * @param {number} index where a tab of its own would stand
 */
function openPanel(tab, index) {
  const path = `panel/panel.html?tab=${tab}`;
  const asTab = () => chrome.tabs.create({ url: path, index });
  if (!("sidePanel" in chrome)) return void asTab();
  void chrome.sidePanel.setOptions({ tabId: tab, path, enabled: true });
  chrome.sidePanel.open({ tabId: tab }).catch(asTab);
}

/** @param {unknown} message */
async function heedPanel(message) {
  const asked = fromPanel(message);
  const { tab } = asked;
  if (asked.type === "read") await read(tab);
  if (asked.type === "fill") await fill(tab, asked.skipped);
  if (asked.type === "undo") await undo(tab);
  if (asked.type === "stop") await stop(tab);
  if (asked.type === "show") await show(tab, asked.key);
  if (asked.type === "sent") await noteAnswer(asked.fill_id, asked.yes);
  if (asked.type === "tick") await retry(tab);
  await send();
}

/**
 * What pages say is heeded in the order they said it: a verdict means nothing before its submit.
 * @param {unknown} message
 * @param {chrome.runtime.MessageSender} sender
 */
async function heedPage(message, sender) {
  const [tab, document_id] = [sender.tab?.id, sender.documentId];
  if (tab === undefined || document_id === undefined) return;
  const told = fromPage(message);
  await words.take(() => note(tab, document_id, told));
  if (told.type !== "outcomes") await send();
}

/**
 * @param {number} tab
 * @param {string} document_id
 * @param {Of<typeof fromPage>} told
 */
async function note(tab, document_id, told) {
  const { frames } = await stateOf(tab);
  if (!frames.some((frame) => frame.document_id === document_id)) return;
  if (told.type === "outcomes") await noteOutcomes(tab, document_id, told.outcomes);
  if (told.type === "done") await noteDone(tab, told.of);
  if (told.type === "submit_seen") await postReport(tab).then(() => noteSeen(tab, told));
  if (told.type === "submit_verdict") await noteVerdict(tab, told);
}

/** @param {number} tab */
async function arrive(tab) {
  await noteArrival(tab);
  await dropWhenLeft(tab);
  await send();
}

/**
 * What the server's absence, or a lost pairing, interrupted is taken up again while the panel is open.
 * @param {number} tab
 */
async function retry(tab) {
  const { trouble, phase } = await stateOf(tab);
  if (!trouble || !COMES_BACK.has(trouble.code)) return;
  if (phase === "reading") return read(tab);
  await thisDevice().then(() => setTrouble(tab, null), (error) => setTrouble(tab, troubleOf(error)));
}

async function send() {
  if ((await waiting()).length > 0) await deliver(hear);
}

/**
 * @param {Letter} letter
 * @param {Refused | null} error
 */
async function hear(letter, error) {
  if (!error && letter.kind === "submitted") await noteRecorded(letter.fill_id);
  await change(letter.tab, (state) => {
    if (state.fill_id !== letter.fill_id) return {};
    if (error) return { is_waiting: error.isPassing || error.status === 401, trouble: troubleOf(error) };
    const isOver = state.trouble !== null && COMES_BACK.has(state.trouble.code);
    return { is_waiting: false, trouble: isOver ? null : state.trouble };
  });
}
