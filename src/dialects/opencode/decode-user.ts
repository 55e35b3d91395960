import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, sameJson } from "../../core/json/value.js";
import { differencesOf } from "../../core/records/differences.js";
import type { SystemMessage, UserMessage } from "../../core/types.js";
import { readUserPart } from "./blocks.js";
import { userInfo } from "./encode-user.js";
import { type Before, createdIn, type Model, type PartFrame, partFrame } from "./frame.js";
import { extWith, keptNotes } from "./notes.js";
import { partsOf, withoutParts } from "./parts.js";
import { infoOf } from "./wire.js";

/** A prompt, and before it the instructions that opencode sends with it. */
export function readUser(
  record: JsonRecord,
  at: string,
  before: Before,
  model: Model | undefined,
): [UserMessage] | [SystemMessage, UserMessage] {
  const info = infoOf(record);
  const created = createdIn(info);
  const synthesised = created === undefined ? ["/timestamp"] : [];
  const base: UserMessage = {
    role: "user",
    content: [],
    timestamp: created ?? 0,
    ...(isString(info["id"]) ? { id: info["id"] } : {}),
  };
  const marked = { ...base, ...extWith({}, synthesised) };
  const system: SystemMessage | undefined = isString(info["system"])
    ? { role: "system", content: info["system"], timestamp: 0, ext: { synthesised: ["/timestamp"] } }
    : undefined;
  const ours = userInfo(marked, system === undefined ? [] : [system], before, model);
  const { kept, others } = partsOf(record, at);
  const text = onlyText(record["parts"], partFrame(info, ours, "text"));
  const content = text ?? others.map(({ part, place }) => readUserPart(part, partFrame(info, ours, place)));
  const notes = { ...differencesOf(withoutParts(record), { info: ours }), ...keptNotes(kept) };
  const user: UserMessage = { ...base, content, ...extWith(notes, synthesised) };
  return system === undefined ? [user] : [system, user];
}

/** The text of a prompt that was written as text, which the id of its only part shows. */
function onlyText(parts: unknown, frame: PartFrame): string | undefined {
  const [part, ...others]: unknown[] = Array.isArray(parts) ? parts : [];
  if (!isObject(part) || others.length > 0 || !isString(part["text"])) return undefined;
  const { text } = part;
  return sameJson(part, { ...frame, type: "text", text }) ? text : undefined;
}
