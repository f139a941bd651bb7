/** Lets things happen one after the other, in the order they were asked for. */

export class Turns {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * @template T
   * @param {() => Promise<T>} act begins when all that was asked for before has ended, well or badly
   * @returns {Promise<T>}
   */
  take(act) {
    const turn = this.#last.catch(() => undefined).then(act);
    this.#last = turn;
    return turn;
  }
}
