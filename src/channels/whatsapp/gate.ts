import { AsyncResource } from "node:async_hooks";
import type { AuthenticationCreds, BinaryNode, SocketConfig, WAMessage } from "baileys";
import type { Baileys } from "./client.js";

/**
 * Stores messages while Baileys decrypts them. Baileys acknowledges a message before it passes it on, which is too late. During
 * decryption, neither the acknowledgement nor the used Signal keys are out: if the process dies before the message is stored,
 * WhatsApp delivers it again.
 */
export class Gate {
  readonly #baileys: Baileys;
  readonly #creds: AuthenticationCreds;
  readonly #store: (message: WAMessage) => Promise<void>;
  readonly #nodes = new WeakMap<Uint8Array, BinaryNode>();

  /** @param store resolves when the message is on disk; never rejects while connected */
  constructor(baileys: Baileys, creds: AuthenticationCreds, store: (message: WAMessage) => Promise<void>) {
    this.#baileys = baileys;
    this.#creds = creds;
    // Runs outside of the transaction, because work that outlives it would write keys into a finished transaction.
    this.#store = AsyncResource.bind(store);
  }

  /** Observes a node from WhatsApp before Baileys handles it. */
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
