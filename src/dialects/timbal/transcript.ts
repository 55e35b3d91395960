import { LiveMessage } from "./live-message.js";
import { OrderedTree } from "./ordered-tree.js";

/** The messages of one stream, in the order of their ids. */
export class Transcript {
  readonly #byId = new Map<string, LiveMessage>();
  readonly #inOrder = new OrderedTree<LiveMessage>(({ i }) => i);
  #listed: LiveMessage[] | undefined = [];

  /** Built on demand: keeping an array sorted while messages arrive in reverse would move all of it each time. */
  get messages(): readonly LiveMessage[] {
    this.#listed ??= [...this.#inOrder];
    return this.#listed;
  }

  get(i: string): LiveMessage | undefined {
    return this.#byId.get(i);
  }

  /** The index that the message has or would have. */
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

  /** Returns its index; undefined if it did not exist. */
  remove(i: string): number | undefined {
    if (!this.#byId.delete(i)) return undefined;
    const index = this.indexOf(i);
    this.#inOrder.remove(i);
    this.#listed = undefined;
    return index;
  }
}
