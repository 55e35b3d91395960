import { HOME_SOURCE, type SessionSummary } from "../../log/catalogue/types.js";
import type { RpcSessionInfo } from "../../protocol/schema.js";
import type { Conversation } from "../../runtime/conversation.js";
import { mayUse } from "../auth/permit.js";
import type { ClientSocket, Gateway } from "../types.js";
import { frameOf } from "./subscriber.js";

type Listener = Pick<ClientSocket, "send" | "caller">;

/** Reports new, changed and busy sessions to subscribed clients. */
export class SessionFeed {
  readonly #gateway: Gateway;
  readonly #listeners = new Set<Listener>();
  /** Sessions that are reported when the index has their changes. */
  readonly #due = new Set<string>();

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
    gateway.runtime.watch(({ session }: Conversation) => this.reportChange(session.id));
  }

  join(listener: Listener): void {
    this.#listeners.add(listener);
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  reportChange(id: string): void {
    if (this.#listeners.size === 0 || this.#due.has(id)) return;
    this.#due.add(id);
    this.#emit(id).catch((error: unknown) => {
      if (this.#gateway.closing.aborted) return;
      this.#gateway.logger.error({ err: error, session: id }, "could not report a session change");
    });
  }

  async #emit(id: string): Promise<void> {
    const { catalogue } = this.#gateway.runtime;
    await catalogue.indexSoon(id);
    this.#due.delete(id);
    // `get` would open an index that is closed.
    if (this.#gateway.closing.aborted) return;
    const found = await catalogue.get(id);
    if (found === undefined || this.#gateway.closing.aborted) return;
    const run = this.#gateway.runtime.running().find(({ session }) => session.id === id);
    const asking = run !== undefined && (await run.permissions.pending()).length > 0;
    const frame = frameOf({
      event: "session",
      data: { session: sessionInfo(found), busy: run !== undefined, asking },
    });
    for (const listener of this.#listeners) if (mayUse(listener.caller, found.agent)) listener.send(frame);
  }
}

/** Without paths on the server. */
export function sessionInfo({
  path: _,
  badLines: _lines,
  problem: _why,
  source,
  folder: _folder,
  ...summary
}: SessionSummary): RpcSessionInfo {
  const found = source === HOME_SOURCE ? {} : { source };
  return { sessionKey: summary.key ?? summary.id, ...summary, ...found };
}
