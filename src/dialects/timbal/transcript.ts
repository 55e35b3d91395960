import { LiveMessage } from "./live-message.js";

/** The messages of one stream, in the order of their ids. */
export class Transcript {
  readonly messages: LiveMessage[] = [];
  readonly #byId = new Map<string, LiveMessage>();

  get(i: string): LiveMessage | undefined {
    return this.#byId.get(i);
  }

  /** Where the message stands, or would stand. Looks at the end first: messages mostly arrive in order. */
  indexOf(i: string): number {
    const last = this.messages.at(-1);
    if (last === undefined || last.i < i) return this.messages.length;
    if (last.i === i) return this.messages.length - 1;
    let low = 0;
    let high = this.messages.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.messages[middle]?.i ?? "") < i) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(i: string): LiveMessage {
    const message = new LiveMessage(i);
    this.#byId.set(i, message);
    const index = this.indexOf(i);
    if (index === this.messages.length) this.messages.push(message);
    else this.messages.splice(index, 0, message);
    return message;
  }

  /** Where it stood; undefined if it was not there. */
  remove(i: string): number | undefined {
    if (!this.#byId.delete(i)) return undefined;
    const index = this.indexOf(i);
    this.messages.splice(index, 1);
    return index;
  }
}
