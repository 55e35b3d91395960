import { defined } from "../../core/json/defined.js";
import type { AgentEvent, AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import type { LiveState } from "../../runtime/live-state.js";
import type { Outcome } from "../../runtime/types.js";
import type { WireEvent } from "./wire.js";

/** Where a run's events belong. */
export interface RunPlace {
  sessionKey: string;
  sessionId: string;
  agentId: string;
}

/** A run that a client did not follow from its beginning. */
export interface InFlightRun {
  runId: string;
  text: string;
  startedAt: number;
}

/** Writes the `chat` and `agent` events of one run. */
export class RunEvents {
  readonly id: string;
  readonly #place: RunPlace;
  readonly #startedAt: number;
  readonly #now: () => number;
  #seq = 0;
  /** The text of the turn in progress; undefined before its first word. */
  #text: string | undefined;
  #block: number | undefined;
  #last: AssistantMessage | undefined;

  constructor(id: string, place: RunPlace, now: () => number) {
    this.id = id;
    this.#place = place;
    this.#now = now;
    this.#startedAt = now();
  }

  get inFlight(): InFlightRun {
    return { runId: this.id, text: this.#text ?? "", startedAt: this.#startedAt };
  }

  begin(): WireEvent[] {
    return [
      this.#agent("lifecycle", { phase: "start", startedAt: this.#startedAt }),
      this.#chat({ state: "status", phase: "starting_model" }),
    ];
  }

  /** What is in progress when the first client joins: it gets it from the history. */
  restore(live: LiveState): void {
    for (const step of live.answerEvents()) this.#addStep(step);
  }

  add(event: AgentEvent): WireEvent[] {
    switch (event.type) {
      case "message_start":
        if (event.message.role === "assistant") this.#beginTurn();
        return [];
      case "message_update":
        return this.#addStep(event.assistantMessageEvent);
      case "tool_execution_start":
        return [this.#tool(event, { phase: "start", args: event.args })];
      case "tool_execution_update":
        return [this.#tool(event, { phase: "update", partialResult: event.partialResult })];
      case "tool_execution_end":
        return [this.#tool(event, { phase: "result", isError: event.isError, result: event.result })];
      default:
        return [];
    }
  }

  /** A whole answer was stored. */
  addTurn(message: AssistantMessage): void {
    this.#last = message;
    this.#beginTurn();
  }

  wait(phase: "waiting-approval" | "approval-resolved", approvalId: string, toolCallId?: string): WireEvent {
    return this.#agent("lifecycle", defined({ phase, approvalId, toolCallId }));
  }

  end(outcome: Outcome, error: string | undefined): WireEvent[] {
    const ended = { startedAt: this.#startedAt, endedAt: this.#now() };
    const message = finalMessage(this.#last);
    switch (outcome) {
      case "done": {
        const stopReason = this.#last?.stopReason ?? "stop";
        return [
          this.#agent("lifecycle", { phase: "end", stopReason, aborted: false, ...ended }),
          this.#chat(defined({ state: "final", stopReason, message })),
        ];
      }
      case "aborted":
        return [
          this.#chat(defined({ state: "aborted", stopReason: "rpc", message })),
          this.#agent("lifecycle", { phase: "end", status: "cancelled", aborted: true, ...ended }),
        ];
      case "error": {
        const errorMessage = error ?? this.#last?.errorMessage ?? "the run failed";
        return [
          this.#agent("lifecycle", { phase: "error", error: errorMessage, ...ended }),
          this.#chat({ state: "error", errorMessage, errorKind: "unknown" }),
        ];
      }
    }
  }

  #beginTurn(): void {
    this.#text = undefined;
    this.#block = undefined;
  }

  #addStep(step: AssistantMessageEvent): WireEvent[] {
    if (step.type === "thinking_delta") return [this.#agent("thinking", { delta: step.delta })];
    if (step.type !== "text_delta" || step.delta === "") return [];
    const isFirst = this.#text === undefined;
    const isNewBlock = !isFirst && this.#block !== step.contentIndex;
    const deltaText = isNewBlock ? `\n\n${step.delta}` : step.delta;
    this.#block = step.contentIndex;
    this.#text = `${this.#text ?? ""}${deltaText}`;
    // The text of a turn replaces that of the one before, which clients have as a stored message.
    const replace = isFirst ? { replace: true } : {};
    return [
      this.#agent("assistant", { delta: deltaText }),
      this.#chat({ state: "delta", deltaText, ...replace }),
    ];
  }

  #tool({ toolCallId, toolName }: { toolCallId: string; toolName: string }, data: object): WireEvent {
    return this.#agent("tool", { name: toolName, toolCallId, ...data });
  }

  #agent(stream: string, data: object): WireEvent {
    const payload = { runId: this.id, ...this.#place, stream, data, seq: ++this.#seq, ts: this.#now() };
    return { event: "agent", payload: { ...payload, isHeartbeat: false } };
  }

  #chat(fields: object): WireEvent {
    const { sessionKey, agentId } = this.#place;
    return { event: "chat", payload: { runId: this.id, sessionKey, agentId, seq: ++this.#seq, ...fields } };
  }
}

/** The end of a run that another run answers. */
export function absorbedRun(runId: string, { sessionKey, agentId }: RunPlace): WireEvent {
  return { event: "chat", payload: { runId, sessionKey, agentId, seq: 1, state: "final" } };
}

/** The text of the last answer, as it is stored. */
function finalMessage(last: AssistantMessage | undefined): object | undefined {
  if (last === undefined) return undefined;
  const { role, content, timestamp } = last;
  return { role, content: content.filter(({ type }) => type === "text"), timestamp };
}
