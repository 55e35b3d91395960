import type { LeafRole } from "../../core/dialect.js";
import type { AgentMessage } from "../../core/types.js";
import { customTypeOf } from "./encode.js";
import { isSide } from "./notes.js";
import { ARTIFACTS } from "./wire.js";

const BESIDE: ReadonlySet<string> = new Set([...ARTIFACTS].map(customTypeOf));

/** The leaf is the last line of the main branch. Artifacts are never the leaf. */
export function leafRole(message: AgentMessage): LeafRole {
  if (isSide(message)) return "aside";
  return message.role === "custom" && BESIDE.has(message.customType) ? "tail" : "leaf";
}
