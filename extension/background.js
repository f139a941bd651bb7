/**
 * The service worker: hears the toolbar button, the panel and the pages, checks each message, and hands it to the
 * file whose matter it is. It decides nothing and remembers nothing itself; it may be ended at any moment.
 */

import { thisDevice } from "./api.js";
import { keepToOurselves } from "./connection.js";
import * as drafts from "./drafts.js";
import { endWhereNobodyWrites, fill, noteDone, noteOutcomes, pause, postReport, show, stop, undo } from "./filling.js";
import { documentOf } from "./frames.js";
import { planMore } from "./growing.js";
import { noteChanged, noteGrown, remember } from "./learning.js";
import { fromPage, fromPanel } from "./messages.js";
import { deliver, waiting } from "./outbox.js";
import { COMES_BACK, dropWhenLeft, look, read, readGrown, troubleOf } from "./reading.js";
import { save } from "./saving.js";
import { hostOf, setSite } from "./settings.js";
import { change, forgetTab, setTrouble, stateOf } from "./state.js";
import { noteAnswer, noteArrival, noteClosed, noteRecorded, noteSeen, noteStartup, noteVerdict } from "./submissions.js";
import { Turns } from "./turns.js";
import { say } from "./words.js";

/** @import { Of } from "./messages.js" */
/** @import { Refused } from "./api.js" */
/** @import { Letter } from "./outbox.js" */

/**
 * What a browser can show beside a page: Chromium a side panel, Firefox a sidebar.
 * @typedef {{ sidePanel?: typeof chrome.sidePanel, sidebarAction?: { setPanel(of: { tabId: number, panel: string }): Promise<void>, open(): Promise<void> } }} Beside
 */

const PANEL = chrome.runtime.getURL("panel/");
const SAVE = "save";
/** What a page says often, and what leaves nothing to send. */
const QUIET = new Set(["outcomes", "changed", "grown"]);
const words = new Turns();

void keepToOurselves();

chrome.action.onClicked.addListener((tab) => {
  if (tab.id === undefined) return;
  openPanel(tab.id, tab.index + 1);
  void look(tab.id);
});

chrome.runtime.onInstalled.addListener(({ reason }) => {
  void offerSaving();
  if (reason === "install") void chrome.tabs.create({ url: "welcome/welcome.html" });
});

chrome.contextMenus.onClicked.addListener(({ menuItemId }, tab) => {
  if (menuItemId === SAVE && tab?.id !== undefined) void save(tab.id);
});

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  if (sender.id !== chrome.runtime.id) return false;
  const heard = sender.url?.startsWith(PANEL) ? heedPanel(message) : heedPage(message, sender);
  heard.then(
    (told) => answer(told ?? true),
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

/** The entry in the menu of a page. */
async function offerSaving() {
  await chrome.contextMenus.removeAll();
  const shown = /** @type {const} */ (["page"]);
  chrome.contextMenus.create({ id: SAVE, title: say("save_posting"), contexts: [...shown], documentUrlPatterns: ["https://*/*", "http://*/*"] });
}

/**
 * Beside the page, or as a tab where the browser has neither a side panel nor a sidebar. Nothing is awaited before
 * it opens: by then the browser would have forgotten the click.
 * @param {number} tab
 * @param {number} index where a tab of its own would stand
 */
function openPanel(tab, index) {
  const path = `panel/panel.html?tab=${tab}`;
  const asTab = () => void chrome.tabs.create({ url: path, index });
  const { sidePanel, sidebarAction } = /** @type {Beside} */ (chrome);
  if (sidePanel) {
    void sidePanel.setOptions({ tabId: tab, path, enabled: true });
    sidePanel.open({ tabId: tab }).catch(asTab);
  } else if (sidebarAction) {
    void sidebarAction.setPanel({ tabId: tab, panel: chrome.runtime.getURL(path) });
    sidebarAction.open().catch(asTab);
  } else asTab();
}

/** @param {unknown} message */
async function heedPanel(message) {
  await obey(fromPanel(message));
  await send();
}

/** @param {Of<typeof fromPanel>} asked */
async function obey(asked) {
  const { tab } = asked;
  switch (asked.type) {
    case "read":
      return read(tab);
    case "fill":
      return fill(tab, asked.skipped, asked.accepted);
    case "undo":
      return undo(tab);
    case "stop":
      return stop(tab);
    case "pause":
      return pause(tab, asked.on);
    case "show":
      return show(tab, asked.key);
    case "sent":
      return noteAnswer(asked.fill_id, asked.yes);
    case "remember":
      return remember(tab, asked.keys, asked.scope);
    case "draft_ask":
      return drafts.ask(tab, asked.key, asked.write);
    case "draft_save":
      return drafts.save(tab, asked.key, { generation: asked.generation, text: asked.text, is_accepted: asked.is_accepted });
    case "draft_write":
      return drafts.write(tab, asked.key, asked.replace);
    case "draft_take":
      return drafts.take(tab, asked.key);
    case "save":
      return void (await save(tab));
    case "turn_on":
      return turnOn(tab);
    case "tick":
      return retry(tab);
  }
}

/** @param {number} tab */
async function turnOn(tab) {
  const { url } = await stateOf(tab);
  await setSite(hostOf(url), true);
  await read(tab);
}

/**
 * What pages say is heeded in the order they said it: a verdict means nothing before its submit.
 * @param {unknown} message
 * @param {chrome.runtime.MessageSender} sender
 */
async function heedPage(message, sender) {
  const [tab, document_id] = [sender.tab?.id, documentOf(sender)];
  if (tab === undefined || document_id === null) return;
  const told = fromPage(message);
  if (told.type === "more") return planMore(tab, document_id, told.fields, told.is_tried);
  await words.take(() => note(tab, document_id, told));
  if (!QUIET.has(told.type)) await send();
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
  if (told.type === "done") await noteDone(tab, document_id, told.of);
  if (told.type === "changed") await noteChanged(tab, document_id, told.keys);
  if (told.type === "grown") await noteGrown(tab, document_id, told.fresh).then(() => void readGrown(tab));
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
 * What the server's absence, a lost pairing or the worker's own end interrupted is taken up again while the panel is open.
 * @param {number} tab
 */
async function retry(tab) {
  await drafts.refresh(tab);
  await words.take(() => endWhereNobodyWrites(tab));
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
    if (error) return { trouble: troubleOf(error) };
    const isOver = state.trouble !== null && COMES_BACK.has(state.trouble.code);
    return { trouble: isOver ? null : state.trouble };
  });
}
