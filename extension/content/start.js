// The only classic script: it brings the modules into the page the person clicked on, once.
import(chrome.runtime.getURL("content/page.js")).then(
  () => true,
  (error) => String(error),
);
