/**
 * The only file that talks to the person's server: JSON under /api/extension, a bearer token, no cookies. Every
 * failure is a `Refused` with a stable code, the server's own or one of `server_gone`, `not_jobtrail`,
 * `not_paired`.
 */

import { connect, connection } from "./connection.js";
import { fillPlan } from "./messages.js";
import { count, maybe, object, text } from "./shapes.js";

/** @import { FillReport, PageContext, Pair, Resolve, Submitted } from "./protocol.d.ts" */

const PATH = "/api/extension";
const PATIENCE_MS = 15_000;

export class Refused extends Error {
  /**
   * @param {string} code
   * @param {number} status 0 when there was no answer
   * @param {string} detail
   */
  constructor(code, status, detail = "") {
    super(code);
    this.code = code;
    this.status = status;
    this.detail = detail;
  }

  /** @returns {boolean} the same request may succeed later, unchanged */
  get isPassing() {
    return this.status === 0 || this.status === 423 || this.status === 429 || this.status >= 500;
  }
}

const problem = object({ code: text(100), detail: maybe(text(2000)) });
const paired = object({ token: text(500), device_id: count, account_name: text(500) });
const recorded = object({ application_id: count });
const device = object({ device_id: count, device_name: text(200), account_name: text(500) });

/**
 * Exchange a code for a token at an address, and keep both.
 * @param {string} server
 * @param {Pair} body
 */
export async function pair(server, body) {
  const answer = paired(await json(await send(server, "POST", "/pair", body, null)));
  const { token, device_id, account_name } = answer;
  await connect({ server, token, device_id, account_name, device_name: body.device_name, is_revoked: false });
}

export async function thisDevice() {
  return device(await json(await ask("GET", "/device")));
}

/**
 * @param {string} url
 * @returns {Promise<PageContext>}
 */
export async function context(url) {
  return /** @type {PageContext} */ (await json(await ask("GET", `/context?url=${encodeURIComponent(url)}`)));
}

/** @param {Resolve} body */
export async function resolve(body) {
  return fillPlan(await json(await ask("POST", "/resolve", body)));
}

/**
 * @param {number} id
 * @returns {Promise<Blob>}
 */
export async function documentContent(id) {
  return (await ask("GET", `/documents/${id}/content`)).blob();
}

/**
 * @param {number} fill
 * @param {FillReport} body
 */
export async function report(fill, body) {
  await ask("POST", `/fills/${fill}`, body);
}

/**
 * @param {number} fill
 * @param {Submitted} body
 */
export async function submitted(fill, body) {
  return recorded(await json(await ask("POST", `/fills/${fill}/submitted`, body)));
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function ask(method, path, body) {
  const { server, token, is_revoked } = await connection();
  if (!token) throw new Refused(is_revoked ? "device_revoked" : "not_paired", 401);
  try {
    return await send(server, method, path, body ?? null, token);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) await forget(token);
    throw error;
  }
}

/**
 * The server no longer knows this token; a newer one stays.
 * @param {string} token
 */
async function forget(token) {
  if ((await connection()).token === token) await connect({ token: null, is_revoked: true });
}

/**
 * @param {string} server
 * @param {string} method
 * @param {string} path
 * @param {object | null} body
 * @param {string | null} token
 * @returns {Promise<Response>} a good answer
 */
async function send(server, method, path, body, token) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (body) headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  /** @type {RequestInit} */
  const how = { method, headers, credentials: "omit", cache: "no-store", redirect: "error", referrerPolicy: "no-referrer" };
  const wait = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(server + PATH + path, { ...how, signal: wait, body: body && JSON.stringify(body) }).catch(() => {
    throw new Refused("server_gone", 0);
  });
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

/**
 * @param {Response} answer
 * @returns {Promise<Refused>}
 */
async function refusal(answer) {
  try {
    const { code, detail } = problem(await answer.json());
    return new Refused(code, answer.status, detail ?? "");
  } catch {
    return new Refused(answer.status >= 500 ? "server_gone" : "not_jobtrail", answer.status);
  }
}

/**
 * @param {Response} answer
 * @returns {Promise<unknown>}
 */
async function json(answer) {
  return answer.json().catch(() => {
    throw new Refused("not_jobtrail", answer.status);
  });
}
