import { wire } from "../../src/protocol/checks.js";
import type { RpcAgentEvent, RpcCursor, RpcEvent } from "../../src/protocol/schema.js";

/** What somebody knows of a session who has seen some frames, and how far they have seen it. */
export class Viewer {
  readonly told: string[] = [];
  cursor: RpcCursor | undefined;
  /** The blocks of the answer under way. */
  #live: string[] = [];
  readonly problems: string[] = [];

  answer(result: Record<string, unknown>): void {
    const { messages, cursor } = wire.parse("RpcChatSubscribeResult", result);
    for (const stored of messages) this.#message(stored);
    this.cursor = cursor;
  }

  see(event: RpcEvent): void {
    if (event.event === "message") this.#message(event.data);
    if (event.event === "agent") this.#step(event.data);
  }

  #message({ position, next, message }: { position: number; next: number; message: unknown }): void {
    if (this.cursor !== undefined && position < this.cursor.position) this.problems.push(`again ${position}`);
    this.cursor = { ...this.cursor, position: next };
    const line = lineOf(wire.parse("RpcStored", { position, next, message }).message);
    if (line === undefined) return;
    this.told.push(line);
    if (!line.startsWith("assistant")) return;
    // The deltas have led to it, as far as they were seen.
    if (!line.startsWith(`assistant: ${this.#live.join("|")}`)) this.problems.push(`other ${this.#live}`);
    this.#live = [];
  }

  #step({ runId, seq, fromSeq = seq, data }: RpcAgentEvent): void {
    const { runId: known, seq: last = 0, position = 0 } = this.cursor ?? {};
    const seen = known === runId ? last : 0;
    if (fromSeq !== seen + 1) this.problems.push(`${fromSeq} follows ${seen}`);
    this.cursor = { position, runId, seq };
    if (data.type !== "message_update") return;
    const { assistantMessageEvent: step } = data;
    if (step.type === "text_delta" || step.type === "thinking_delta") {
      this.#live[step.contentIndex] = (this.#live[step.contentIndex] ?? "") + step.delta;
    }
    if (step.type === "toolcall_start") this.#live[step.contentIndex] = step.name ?? "";
  }
}

function lineOf(message: RpcStoredMessage): string | undefined {
  if (message.role === "assistant") {
    const blocks = message.content.map((block) =>
      block.type === "text" ? block.text : block.type === "thinking" ? block.thinking : nameIn(block),
    );
    return `assistant: ${blocks.join("|")}`;
  }
  return message.role === "session" || message.role === "custom" ? undefined : message.role;
}

type RpcStoredMessage = ReturnType<typeof wire.parse<"RpcStored">>["message"];
const nameIn = (block: object) => ("name" in block ? String(block.name) : "?");

/** The events among some frames, checked. */
export function eventsIn(frames: readonly Record<string, unknown>[]): RpcEvent[] {
  return frames.flatMap((frame) => ("event" in frame ? [wire.parse("RpcEvent", frame)] : []));
}
