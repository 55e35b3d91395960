import { AsyncResource } from "node:async_hooks";
import type { AuthenticationCreds, BinaryNode, SocketConfig, WAMessage } from "baileys";
import type { Baileys } from "./client.js";

/**
 * Baileys decrypts a message, tells WhatsApp that it was received, and only then hands it on. So it is taken where it is
 * decrypted, before the Signal keys that did so are written: should the process die before it is stored, then WhatsApp knows of
 * nothing, the keys are still good, and the message comes again.
 */
export class Gate {
  readonly #baileys: Baileys;
  readonly #creds: AuthenticationCreds;
  readonly #store: (message: WAMessage) => Promise<void>;
  readonly #nodes = new WeakMap<Uint8Array, BinaryNode>();

  /** @param store fulfilled when the message is on disk; never rejected while the connection lasts */
  constructor(baileys: Baileys, creds: AuthenticationCreds, store: (message: WAMessage) => Promise<void>) {
    this.#baileys = baileys;
    this.#creds = creds;
    // Outside of the transaction: whatever is begun in there and goes on afterwards would write keys into one that is over.
    this.#store = AsyncResource.bind(store);
  }

  /** What came from WhatsApp, before Baileys looks at it. */
  observe(node: BinaryNode): void {
    if (!Array.isArray(node.content)) return;
    for (const { tag, content } of node.content) {
      if (tag === "enc" && content instanceof Uint8Array) this.#nodes.set(content, node);
    }
  }

  readonly makeSignalRepository: SocketConfig["makeSignalRepository"] = (auth, logger, lidsOf) => {
    const { makeSignalRepository } = this.#baileys.DEFAULT_CONNECTION_CONFIG;
    const repository = makeSignalRepository(auth, logger, lidsOf);
    const { keys } = auth;
    if (!("transaction" in keys)) return repository;
    return {
      ...repository,
      decryptMessage: (options) =>
        keys.transaction(async () => {
          const bytes = await repository.decryptMessage(options);
          await this.#storeDecrypted(options.ciphertext, bytes);
          return bytes;
        }, options.jid),
      decryptGroupMessage: (options) =>
        keys.transaction(async () => {
          const bytes = await repository.decryptGroupMessage(options);
          await this.#storeDecrypted(options.msg, bytes);
          return bytes;
        }, options.group),
    };
  };

  async #storeDecrypted(ciphertext: Uint8Array, bytes: Uint8Array): Promise<void> {
    const node = this.#nodes.get(ciphertext);
    const { me } = this.#creds;
    if (node === undefined || me === undefined) return;
    const { proto, unpadRandomMax16, decodeMessageNode } = this.#baileys;
    const message = proto.Message.decode(unpadRandomMax16(bytes));
    await this.#store({ ...decodeMessageNode(node, me.id, me.lid ?? "").fullMessage, message });
  }
}
