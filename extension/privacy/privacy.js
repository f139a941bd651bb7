/** What leaves the browser, what is kept in it, and why each permission is asked for. */

import { chooseWords } from "../tongue.js";
import { say, translate } from "../words.js";

await chooseWords();
translate(document);
document.title = say("privacy_title");
