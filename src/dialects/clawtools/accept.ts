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

/** Errors of a file whose meaning is plain, so that nothing is lost when such a message is read. */
const READABLE = new Set(["clawtools/text-result"]);

/**
 * A message that a program hands over, read. Where `check` finds a shape of which a part would be lost, this throws what
 * `check` says.
 */
export function acceptMessage(record: JsonRecord): AgentMessage {
  const role = String(record["role"]);
  const isConversation = role === "user" || role === "assistant" || role === "toolResult";
  if (!isConversation && isKnownRole(role)) return admit({ timestamp: 0, ...record }, NAME, "");
  const problem = check([record]).find(({ severity, code }) => severity === "error" && !READABLE.has(code));
  if (problem !== undefined) {
    const { code, message, hint } = problem;
    throw new DragomanError(isErrorCode(code) ? code : "model/invalid", message, {
      at: withoutIndex(problem.at),
      ...(hint === undefined ? {} : { hint }),
    });
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

/** Pointers to the fields of a message and of its blocks that neither the format nor a model knows. */
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

/** The pointer into the message instead of into an array that holds it alone. */
function withoutIndex(at: string): string {
  return at.replace(/^\/0/, "");
}
