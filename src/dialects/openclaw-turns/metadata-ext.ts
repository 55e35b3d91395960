import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, sameJson } from "../../core/json/value.js";
import { neutralOrigin } from "../../core/message/neutral.js";
import type { AgentMessage, Ext } from "../../core/types.js";
import { isForeign } from "./notes.js";
import { NAME } from "./wire.js";

const TIME = ["/timestamp"];

/** Fields that a turn can leave out and the model cannot, by role, in the order they are listed when they are. */
const optional: ReadonlyMap<string, readonly string[]> = new Map([
  ["assistant", ["/api", "/provider", "/model", "/usage", "/stopReason", ...TIME]],
  ["toolResult", ["/toolCallId", "/toolName", ...TIME]],
  ...[
    "user",
    "system",
    "session",
    "status",
    "error",
    "agentComplete",
    "agentMessage",
    "compaction",
    "custom",
  ].map((role) => [role, TIME] as const),
]);

function neutralOf(message: AgentMessage): JsonRecord {
  const origin = message.role === "assistant" ? neutralOrigin(message.content) : {};
  return { ...origin, timestamp: 0, toolCallId: "" };
}

const NOTHING: readonly string[] = [];

/** The fields of a message that nobody said: their absence from the turn says so. */
export function omittedFields(message: AgentMessage): readonly string[] {
  const synthesised = message.ext?.synthesised;
  if (synthesised === undefined) return NOTHING;
  const fields = optional.get(message.role) ?? NOTHING;
  const neutral = neutralOf(message);
  return fields.filter((pointer) => {
    if (!synthesised.includes(pointer)) return false;
    // The name of the tool may have been found in the call: a reader of the turn finds it there too.
    if (pointer === "/toolName") return true;
    return sameJson(Reflect.get(message, pointer.slice(1)), neutral[pointer.slice(1)]);
  });
}

/** What a turn must carry of `ext`: not what a reader finds out by itself. */
export function writeExt(ext: Ext | undefined, omitted: readonly string[]): Ext | undefined {
  if (ext === undefined) return undefined;
  const { [NAME]: _, synthesised, ...others } = ext;
  const listed = synthesised?.filter((pointer) => !omitted.includes(pointer)) ?? [];
  // A reader lists what it finds missing last. Where that is another order the list is written whole.
  const rest = sameJson([...listed, ...omitted], synthesised) ? listed : synthesised;
  const isImplied = rest === undefined || (rest.length === 0 && omitted.length > 0);
  const written = isImplied ? others : { ...others, synthesised: rest };
  return Object.keys(written).length > 0 ? written : undefined;
}

/** What `ext` a message has whose turn carries `value` and lacks fields. */
export function readExt(value: unknown, missing: readonly string[]): Ext | undefined {
  const carried = isCarried(value) ? value : undefined;
  if (missing.length === 0) return carried;
  const listed = carried?.synthesised ?? [];
  const unlisted = missing.filter((pointer) => !listed.includes(pointer));
  return { ...carried, synthesised: [...listed, ...unlisted] };
}

function isCarried(value: unknown): value is Ext {
  if (!isForeign(value) || isEmpty(value)) return false;
  const { synthesised } = value;
  return (
    synthesised === undefined ||
    (Array.isArray(synthesised) && synthesised.every((pointer) => typeof pointer === "string"))
  );
}
