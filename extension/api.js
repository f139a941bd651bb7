/**
 * The only file that talks to the person's server: JSON under /api/extension, a bearer token, no cookies. Every
 * failure is a `Refused` with a stable code, the server's own or one of `server_gone`, `not_jobtrail`,
 * `not_paired`.
 */

import { device, draft, fillPlan, pageContext, paired, problem, recorded, remembered, savedPosting } from "./answers.js";
import { connect, connection } from "./connection.js";
import { Misshapen } from "./shapes.js";

/** @import { AskDraft, EditDraft, FillReport, Pair, Remember, Resolve, SavePosting, Submitted, WriteDraft } from "./protocol.d.ts" */
/** @import { Shape } from "./shapes.js" */

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

/**
 * Exchange a code for a token at an address, and keep both.
 * @param {string} server
 * @param {Pair} body
 * @param {() => Promise<void>} letGo called before another server takes the place of the one known
 */
export async function pair(server, body, letGo) {
  const answer = await json(await send(server, "POST", "/pair", body, null), paired);
  const { token, device_id, account_name } = answer;
  if ((await connection()).server !== server) await letGo();
  await connect({ server, token, device_id, account_name, device_name: body.device_name, is_revoked: false });
}

export async function thisDevice() {
  return json(await ask("GET", "/device"), device);
}

/** @param {string} url */
export async function context(url) {
  return json(await ask("GET", `/context?url=${encodeURIComponent(url)}`), pageContext);
}

/** @param {Resolve} body */
export async function resolve(body) {
  return json(await ask("POST", "/resolve", body), fillPlan);
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
  return json(await ask("POST", `/fills/${fill}/submitted`, body), recorded);
}

/** @param {SavePosting} body */
export async function savePosting(body) {
  return json(await ask("POST", "/postings", body), savedPosting);
}

/** @param {Remember} body */
export async function remember(body) {
  return json(await ask("POST", "/answers", body), remembered);
}

/** @param {AskDraft} body */
export async function askDraft(body) {
  return json(await ask("POST", "/drafts", body), draft);
}

/** @param {number} id */
export async function draftNow(id) {
  return json(await ask("GET", `/drafts/${id}`), draft);
}

/**
 * @param {number} id
 * @param {EditDraft} body
 */
export async function editDraft(id, body) {
  return json(await ask("PUT", `/drafts/${id}`, body), draft);
}

/**
 * @param {number} id
 * @param {WriteDraft} body
 */
export async function writeDraft(id, body) {
  return json(await ask("POST", `/drafts/${id}/write`, body), draft);
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
 * @template T
 * @param {Response} answer
 * @param {Shape<T>} shape
 * @returns {Promise<T>}
 */
async function json(answer, shape) {
  try {
    return shape(await answer.json());
  } catch (error) {
    if (error instanceof Misshapen) console.warn("The server answered in another shape:", error.message);
    throw new Refused("not_jobtrail", answer.status);
  }
}
