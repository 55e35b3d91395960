import { LiveMessage } from "./live-message.js";
import { OrderedTree } from "./ordered-tree.js";

/** The messages of one stream, in the order of their ids. */
export class Transcript {
  readonly #byId = new Map<string, LiveMessage>();
  readonly #inOrder = new OrderedTree<LiveMessage>(({ i }) => i);
  #listed: LiveMessage[] | undefined = [];

  /** Listed when somebody asks: to keep a list in order while the newest come first would move all of it each time. */
  get messages(): readonly LiveMessage[] {
    this.#listed ??= [...this.#inOrder];
    return this.#listed;
  }

  get(i: string): LiveMessage | undefined {
    return this.#byId.get(i);
  }

  /** Where the message stands, or would stand. */
  indexOf(i: string): number {
    return this.#inOrder.indexOf(i);
  }

  add(i: string): LiveMessage {
    const message = new LiveMessage(i);
    this.#byId.set(i, message);
    const isLast = this.indexOf(i) === this.#inOrder.size;
    this.#inOrder.add(message);
    if (isLast) this.#listed?.push(message);
    else this.#listed = undefined;
    return message;
  }

  /** Where it stood; undefined if it was not there. */
  remove(i: string): number | undefined {
    if (!this.#byId.delete(i)) return undefined;
    const index = this.indexOf(i);
    this.#inOrder.remove(i);
    this.#listed = undefined;
    return index;
  }
}
