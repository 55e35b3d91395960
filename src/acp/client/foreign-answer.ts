import type { AnswerBuilder } from "../../core/stream/builder.js";
import { contentOf } from "../agent/content.js";
import type { AcpChunk } from "../wire.js";
import type { ForeignCall } from "./foreign-call.js";

/** What a program has sent, in order. `started`: the call runs, or waits for permission. */
export type Item =
  | { type: "chunk"; chunk: AcpChunk }
  | { type: "call" | "started"; call: ForeignCall }
  | { type: "ended"; stopReason: string }
  | { type: "failed"; error: unknown };

/** An answer of a program under construction. It ends when one of its calls starts. */
export class ForeignAnswer {
  readonly #builder: AnswerBuilder;
  readonly #calls: ForeignCall[] = [];
  #block: { index: number; kind: string } | undefined;

  constructor(builder: AnswerBuilder) {
    this.#builder = builder;
  }

  /** Whether the item belongs to what follows the answer's calls. */
  isComplete(item: Item): boolean {
    if (this.#calls.length === 0) return false;
    if (item.type === "call") return false;
    return item.type !== "started" || this.#calls.includes(item.call);
  }

  add(item: Item, takePlan: () => unknown): void {
    switch (item.type) {
      case "chunk":
        this.#addChunk(item.chunk);
        return;
      case "call":
        this.#calls.push(item.call);
        return;
      case "started":
        // The call belongs to an earlier answer.
        return;
      case "ended":
        this.#finish(item.stopReason, takePlan());
        return;
      case "failed":
        throw item.error;
    }
  }

  /** Ends the answer with its calls. */
  end(plan: unknown): void {
    this.#closeBlock();
    for (const { id, name, title, kind, raw, arguments: args } of this.#calls) {
      const { locations } = raw;
      const shown = { title, kind, ...(locations === undefined ? {} : { locations }) };
      const index = this.#builder.open({ type: "toolCall", id, name, arguments: {}, ext: { acp: shown } });
      this.#builder.delta(index, JSON.stringify(args));
      this.#builder.close(index);
    }
    this.#keepPlan(plan);
    this.#builder.done("toolUse");
  }

  #finish(stopReason: string, plan: unknown): void {
    this.#closeBlock();
    this.#keepPlan(plan);
    if (stopReason === "end_turn") this.#builder.done("stop");
    else if (stopReason === "max_tokens") this.#builder.done("length");
    else this.#builder.fail(REASONS[stopReason] ?? `the agent program stopped: ${stopReason}`);
  }

  #addChunk({ sessionUpdate, messageId, content }: AcpChunk): void {
    if (content.type !== "text") {
      this.#closeBlock();
      this.#builder.whole(contentOf(content));
      return;
    }
    const kind = `${sessionUpdate} ${messageId ?? ""}`;
    if (this.#block?.kind !== kind) {
      this.#closeBlock();
      const isThought = sessionUpdate === "agent_thought_chunk";
      const index = this.#builder.open(
        isThought ? { type: "thinking", thinking: "" } : { type: "text", text: "" },
      );
      this.#block = { index, kind };
    }
    this.#builder.delta(this.#block.index, content.text);
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#builder.close(this.#block.index);
    this.#block = undefined;
  }

  #keepPlan(plan: unknown): void {
    const { message } = this.#builder;
    if (plan !== undefined) message.ext = { ...message.ext, acp: { plan } };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  refusal: "the agent program refused to continue",
  max_turn_requests: "the agent program reached its limit of requests in one turn",
  cancelled: "the agent program cancelled its turn",
};
