import { stepLine } from "../../core/event-line.js";
import type { AssistantMessage } from "../../core/types.js";
import type { Entry } from "../../log/types.js";
import type { LiveState } from "../../runtime/live-state.js";
import type { ConversationEvent } from "../../runtime/types.js";
import type { LiveRecord } from "./live-tail.js";
import type { FeedEvent } from "./subscriber.js";

export type RunEnd = Extract<ConversationEvent, { type: "run_end" }>;

export interface StepItem {
  kind: "step";
  runId: string;
  record: LiveRecord;
  stored?: Entry;
  /** The agent has said it. */
  said?: AssistantMessage;
  /** Nothing is under way that the log does not have. */
  settles?: boolean;
}

/** Something to tell when everything before it was told: what it was when it happened, not what it has become since. */
export type FeedItem =
  | StepItem
  | { kind: "end"; event: RunEnd }
  | { kind: "event"; event: FeedEvent }
  /** Something was appended that no run tells of. */
  | { kind: "read" }
  /** Everything that happened before it was told. */
  | { kind: "told"; done: () => void };

/** What there is to tell of an event of a conversation. */
export function itemsOf(event: ConversationEvent, live: LiveState, sessionKey: string): FeedItem[] {
  switch (event.type) {
    case "run_start": {
      const { runId, seq } = event;
      return [{ kind: "step", runId, record: { seq, step: { type: "run_start" } } }];
    }
    case "agent":
      return [stepItem(event, live)];
    case "run_end":
      return [{ kind: "end", event }, { kind: "read" }];
    case "queued":
    case "losses":
      return [{ kind: "read" }];
    case "permission": {
      const { request } = event;
      return [
        { kind: "event", event: { event: "permission", data: { sessionKey, state: "asked", request } } },
      ];
    }
    case "permission_end": {
      const { id, answer } = event;
      return [
        {
          kind: "event",
          event: { event: "permission", data: { sessionKey, state: "answered", id, answer } },
        },
      ];
    }
  }
}

function stepItem(
  { runId, seq, event, stored }: Extract<ConversationEvent, { type: "agent" }>,
  { answer, tools }: LiveState,
): StepItem {
  const item: StepItem = { kind: "step", runId, record: { seq, step: stepLine(event) } };
  if (event.type !== "message_end") return item;
  const { message } = event;
  return {
    ...item,
    ...(stored === undefined ? {} : { stored: { ...stored, message } }),
    ...(message.role === "assistant" ? { said: message } : {}),
    settles: answer === undefined && tools.size === 0,
  };
}
