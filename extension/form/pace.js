/**
 * Waits for a page: until something holds, or until it has stopped changing. Everything that waits in the
 * engine waits here, ends with the fill's signal, and needs no animation frame, which a page behind another
 * tab never gets.
 */

/** @import { Pace } from "./types.d.ts" */

/**
 * @param {AbortSignal} signal
 * @returns {Pace} what real pages need
 */
export function pace(signal) {
  return {
    open_ms: 1200,
    options_ms: 4000,
    reveal_ms: 1500,
    quiet_ms: 250,
    settle_ms: 2000,
    busy_ms: 15000,
    watch_ms: 6000,
    poll_ms: 200,
    answer_ms: 4000,
    confirm_ms: 30000,
    signal,
  };
}

/**
 * @template T
 * @param {() => T | null | undefined | false} probe looked at again whenever the page changes
 * @param {number} limit_ms
 * @param {Pace} pace
 * @returns {Promise<T | null>} what the probe gave, or null when time or the fill ended
 */
export function until(probe, limit_ms, pace) {
  return new Promise((resolve) => {
    const end = (/** @type {T | null} */ value) => {
      observer.disconnect();
      clearTimeout(late);
      clearInterval(ticks);
      pace.signal.removeEventListener("abort", stop);
      resolve(value);
    };
    const look = () => {
      const value = probe();
      if (value) end(value);
    };
    const stop = () => end(null);
    const observer = new MutationObserver(look);
    const late = setTimeout(() => end(probe() || null), limit_ms);
    const ticks = setInterval(look, pace.poll_ms / 4);
    pace.signal.addEventListener("abort", stop);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    if (pace.signal.aborted) stop();
    else look();
  });
}

/**
 * Until the page has not changed for a while, but not for ever.
 * @param {Pace} pace
 * @returns {Promise<void>}
 */
export async function settled(pace) {
  let last = performance.now();
  const observer = new MutationObserver(() => {
    last = performance.now();
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  await until(() => performance.now() - last >= pace.quiet_ms, pace.settle_ms, pace);
  observer.disconnect();
}

/**
 * @param {number} ms
 * @param {Pace} pace
 * @returns {Promise<void>}
 */
export async function passed(ms, pace) {
  await until(() => false, ms, pace);
}
