/**
 * The words of the language that the person chose in the settings, for the extension's own pages. The worker goes
 * without: what it says stands in the browser's own menus, which speak the browser's language.
 */

import de from "./_locales/de/messages.json" with { type: "json" };
import en from "./_locales/en/messages.json" with { type: "json" };
import fr from "./_locales/fr/messages.json" with { type: "json" };
import { settings } from "./settings.js";
import { speak } from "./words.js";

const ALL = { de, en, fr };

export async function chooseWords() {
  const { language } = await settings();
  if (language !== "") speak(ALL[language]);
}
