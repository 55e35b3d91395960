import type { DragomanClient } from "../../client/client.js";
import { isPriceUnknown } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage } from "../../core/types.js";
import type { SessionUpdate } from "../agent-messages.js";

/** How full a session's context is, and what its answers have cost. */
export class ContextUsage {
  readonly #client: DragomanClient;
  #last: AssistantMessage | undefined;
  /** In dollars; undefined once an answer's price is unknown. */
  #cost: number | undefined;
  #sizes: ReadonlyMap<string, number> | undefined;

  /** @param isWhole whether every message of the session will be added, so that the sum is its cost */
  constructor(client: DragomanClient, isWhole: boolean) {
    this.#client = client;
    this.#cost = isWhole ? 0 : undefined;
  }

  add(message: AgentMessage): void {
    if (message.role !== "assistant") return;
    if (isPriceUnknown(message)) this.#cost = undefined;
    else if (this.#cost !== undefined) this.#cost += message.usage.cost.total;
    if (message.usage.totalTokens > 0) this.#last = message;
  }

  /** Undefined if there is no answer, or the size of the model's context is unknown. */
  async update(): Promise<SessionUpdate | undefined> {
    const last = this.#last;
    if (last === undefined) return undefined;
    this.#sizes ??= await contextSizes(this.#client);
    const size = this.#sizes.get(`${last.provider}/${last.model}`);
    if (size === undefined) return undefined;
    const { input, output, cacheRead, cacheWrite } = last.usage;
    const cost = this.#cost === undefined ? {} : { cost: { amount: this.#cost, currency: "USD" } };
    return { sessionUpdate: "usage_update", used: input + output + cacheRead + cacheWrite, size, ...cost };
  }
}

async function contextSizes(client: DragomanClient): Promise<ReadonlyMap<string, number>> {
  const { models } = await client.call("models.list", {});
  return new Map(
    models.flatMap(({ id, contextWindow }) => (contextWindow === undefined ? [] : [[id, contextWindow]])),
  );
}
