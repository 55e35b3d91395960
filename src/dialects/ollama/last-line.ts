import type { JsonObject } from "../../core/json/value.js";
import { isBroken } from "../../core/message/failure.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { LAST_DATE } from "../../core/time.js";
import type { AssistantMessage, StopReason } from "../../core/types.js";
import { notesOf, restoreForm } from "./notes.js";
import type { WireAnswer, WireError } from "./wire.js";

/** The last line of an answer, without its message. */
export function writeLastLine(message: AssistantMessage): JsonObject {
  return restoreForm(plainLastLine(message), notesOf(message)["response"]);
}

export function plainLastLine(message: AssistantMessage): Omit<WireAnswer, "message"> | WireError {
  if (isBroken(message)) return { error: message.errorMessage ?? `the answer ended: ${message.stopReason}` };
  return {
    ...lineHeader(message),
    done: true,
    done_reason: doneReason(message.stopReason),
    ...writeCounts(message),
  };
}

export function lineHeader({ model, timestamp }: AssistantMessage): { model: string; created_at: string } {
  return { model, created_at: timeOf(timestamp) };
}

function doneReason(reason: StopReason): "stop" | "length" {
  return reason === "length" ? "length" : "stop";
}

/** The API's prompt count includes cached tokens. */
function writeCounts(message: AssistantMessage): { prompt_eval_count?: number; eval_count?: number } {
  const { input, output, cacheRead, cacheWrite } = message.usage;
  const prompt = input + cacheRead + cacheWrite;
  return {
    ...(isSynthesised(message, "/usage/input") ? {} : { prompt_eval_count: prompt }),
    ...(isSynthesised(message, "/usage/output") ? {} : { eval_count: output }),
  };
}

function timeOf(timestamp: number): string {
  return new Date(Math.abs(timestamp) <= LAST_DATE ? timestamp : 0).toISOString();
}
