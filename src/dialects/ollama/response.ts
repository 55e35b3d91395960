import type { Origin } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { isBroken } from "../../core/message/failure.js";
import type { AssistantMessage } from "../../core/types.js";
import { writeLastLine } from "./last-line.js";
import { writeAnswer } from "./messages.js";
import { notesOf, restoreForm } from "./notes.js";
import { LineReader } from "./stream-reader.js";

/** Reads an unstreamed answer as a stream of one line. */
export function readResponse(body: unknown, origin: Origin): AssistantMessage {
  if (!isObject(body) || (body["done"] === undefined && body["error"] === undefined)) throw notAnAnswer();
  const reader = new LineReader(origin);
  for (const event of [...reader.push(body), ...reader.finish()]) {
    if (event.type === "done") return event.message;
    if (event.type === "error") return event.error;
  }
  throw notAnAnswer();
}

function notAnAnswer(): DragomanError {
  return new DragomanError("provider/bad-response", "expected an Ollama response");
}

export function response(message: AssistantMessage): JsonObject {
  const last = writeLastLine(message);
  if (isBroken(message)) return last;
  return { ...last, message: restoreForm(writeAnswer(message), notesOf(message)["form"]) };
}
