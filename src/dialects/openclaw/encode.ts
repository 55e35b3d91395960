import type { JsonRecord } from "../../core/dialect.js";
import { release } from "../../core/records/admit.js";
import type { AgentMessage } from "../../core/types.js";
import { NAME } from "./wire.js";

export function encode(unit: readonly AgentMessage[]): JsonRecord[] {
  return unit.map((message) => release(message, NAME));
}
