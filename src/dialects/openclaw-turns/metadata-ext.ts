import type { JsonRecord } from "../../core/dialect.js";
import { sameJson } from "../../core/json/value.js";
import { neutralOrigin } from "../../core/message/neutral.js";
import { isKnownRole } from "../../core/message/roles.js";
import type { AgentMessage, Ext } from "../../core/types.js";
import { isForeign } from "./notes.js";
import { NAME } from "./wire.js";

/** Fields that a turn can omit but the model requires, in the order in which a reader lists them. */
function optionalFields(role: string): readonly string[] {
  if (role === "assistant") return ["/api", "/provider", "/model", "/usage", "/stopReason", "/timestamp"];
  if (role === "toolResult") return ["/toolCallId", "/toolName", "/timestamp"];
  return isKnownRole(role) ? ["/timestamp"] : NOTHING;
}

function neutralOf(message: AgentMessage): JsonRecord {
  const origin = message.role === "assistant" ? neutralOrigin(message.content) : {};
  return { ...origin, timestamp: 0, toolCallId: "" };
}

const NOTHING: readonly string[] = [];

/** The synthesised fields of a message that its turn omits. */
export function omittedFields(message: AgentMessage): readonly string[] {
  const synthesised = message.ext?.synthesised;
  if (synthesised === undefined) return NOTHING;
  const neutral = neutralOf(message);
  return optionalFields(message.role).filter((pointer) => {
    if (!synthesised.includes(pointer)) return false;
    // The tool name may have been found in the call: a reader of the turn finds it there too.
    if (pointer === "/toolName") return true;
    return sameJson(Reflect.get(message, pointer.slice(1)), neutral[pointer.slice(1)]);
  });
}

/** The part of `ext` that a turn must carry because a reader cannot infer it. */
export function writeExt(ext: Ext | undefined, omitted: readonly string[]): Ext | undefined {
  if (ext === undefined) return undefined;
  const { [NAME]: _, synthesised, ...others } = ext;
  const listed = synthesised?.filter((pointer) => !omitted.includes(pointer)) ?? [];
  // A reader lists the fields that it finds missing last. If that changes the order, the whole list is written.
  const rest = sameJson([...listed, ...omitted], synthesised) ? listed : synthesised;
  const isImplied = rest === undefined || (rest.length === 0 && omitted.length > 0);
  const written = isImplied ? others : { ...others, synthesised: rest };
  return Object.keys(written).length > 0 ? written : undefined;
}

/** The `ext` of a message whose turn carries `value` and lacks the fields in `missing`. */
export function readExt(value: unknown, missing: readonly string[]): Ext | undefined {
  const carried = isCarried(value) ? value : undefined;
  if (missing.length === 0) return carried;
  const listed = carried?.synthesised ?? [];
  const unlisted = missing.filter((pointer) => !listed.includes(pointer));
  return { ...carried, synthesised: [...listed, ...unlisted] };
}

function isCarried(value: unknown): value is Ext {
  if (!isForeign(value)) return false;
  const { synthesised } = value;
  return (
    synthesised === undefined ||
    (Array.isArray(synthesised) && synthesised.every((pointer) => typeof pointer === "string"))
  );
}
