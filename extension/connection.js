/**
 * Where the person's server is and the token this browser was given for it. Kept where content scripts cannot
 * read it. No other file touches these keys.
 */

/** @import { Connection } from "./types.d.ts" */

const KEY = "connection";

/** @type {Connection} */
const UNPAIRED = {
  server: "http://127.0.0.1:8377",
  token: null,
  device_id: null,
  device_name: "",
  account_name: "",
  is_revoked: false,
};

/** Close this storage to content scripts, which may by default read it, where the browser can. */
export async function keepToOurselves() {
  await chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
}

/** @returns {Promise<Connection>} */
export async function connection() {
  const stored = await chrome.storage.local.get(KEY);
  return { ...UNPAIRED, .../** @type {Partial<Connection>} */ (stored[KEY] ?? {}) };
}

/**
 * @param {Partial<Connection>} change
 * @returns {Promise<Connection>}
 */
export async function connect(change) {
  const next = { ...(await connection()), ...change };
  await chrome.storage.local.set({ [KEY]: next });
  return next;
}

/** Forget the token; the address stays, for pairing again. */
export async function disconnect() {
  await connect({ token: null, device_id: null, account_name: "", is_revoked: false });
}

/**
 * @param {string} typed
 * @returns {string | null} the origin; null where it would carry personal data in the clear
 */
export function serverAddress(typed) {
  const text = typed.trim();
  const full = /^[a-z]+:\/\//i.test(text) ? text : `http${/^(?:localhost|127\.)/.test(text) ? "" : "s"}://${text}`;
  if (!URL.canParse(full)) return null;
  const { protocol, hostname, origin, username, password } = new URL(full);
  if (username || password) return null;
  const isLoopback = hostname === "localhost" || hostname === "127.0.0.1";
  return protocol === "https:" || (protocol === "http:" && isLoopback) ? origin : null;
}

/**
 * @param {() => void} act called whenever the connection changes
 */
export function onConnectionChange(act) {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (KEY in changes) act();
  });
}
