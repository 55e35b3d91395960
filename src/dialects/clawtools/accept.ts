import type { JsonRecord } from "../../core/dialect.js";
import { DragomanError, isErrorCode } from "../../core/error.js";
import { formatPointer } from "../../core/json/pointer.js";
import { isObject } from "../../core/json/value.js";
import { isKnownRole } from "../../core/message/roles.js";
import { admit } from "../../core/records/admit.js";
import type { AgentMessage, Ext } from "../../core/types.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { notesOf } from "./notes.js";
import { NAME } from "./wire.js";

/** Errors whose meaning is unambiguous, so reading such a message loses nothing. */
const READABLE = new Set(["clawtools/text-result"]);

/** Reads a message passed by a program. Throws the error that `check` reports if reading would lose a part of it. */
export function acceptMessage(record: JsonRecord): AgentMessage {
  const role = String(record["role"]);
  const isConversation = role === "user" || role === "assistant" || role === "toolResult";
  if (!isConversation && isKnownRole(role)) return admit({ timestamp: 0, ...record }, NAME, "");
  const problem = check([record]).find(({ severity, code }) => severity === "error" && !READABLE.has(code));
  if (problem !== undefined) {
    const { code, message, hint } = problem;
    const at = withoutIndex(problem.at);
    throw new DragomanError(isErrorCode(code) ? code : "model/invalid", message, { at, hint });
  }
  try {
    const [decoded] = decode([record]);
    if (decoded !== undefined) return decoded.message;
  } catch (error) {
    if (!(error instanceof DragomanError) || error.at === undefined) throw error;
    throw new DragomanError(error.code, error.message, { at: withoutIndex(error.at), cause: error });
  }
  throw new DragomanError("model/invalid", "expected a message", { at: "" });
}

/** Pointers to the fields of a message and its blocks that neither the format nor the model has. */
export function unknownFields(message: AgentMessage): string[] {
  const content: unknown = Reflect.get(message, "content");
  const blocks: readonly { ext?: Ext }[] = Array.isArray(content) ? content : [];
  return [
    ...pointers("", notesOf(message)["fields"]),
    ...blocks.flatMap((block, index) => {
      const { fields, imageUrl } = notesOf(block);
      const place = `/content/${index}`;
      return [...pointers(place, fields), ...pointers(`${place}/image_url`, imageUrl)];
    }),
  ];
}

function pointers(base: string, fields: unknown): string[] {
  return Object.keys(isObject(fields) ? fields : {}).map((key) => `${base}${formatPointer([key])}`);
}

/** The pointer into the message itself, not into a unit that contains only this message. */
function withoutIndex(at: string): string {
  return at.replace(/^\/0/, "");
}
