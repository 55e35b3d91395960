import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { isMessage, NAME } from "./wire.js";

const { warning } = driftsOf(NAME);

const BLOCKS: ReadonlySet<unknown> = new Set(["text", "thinking", "tool_use"]);

/** Blocks that no known version of Cursor writes. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkLine(record, `/${index}`)]);
}

function* checkLine(record: JsonRecord, at: string): Generator<Drift> {
  const { message } = record;
  const content = isMessage(record) && isObject(message) ? message["content"] : undefined;
  for (const [index, block] of Array.isArray(content) ? content.entries() : []) {
    const type = isObject(block) ? block["type"] : undefined;
    if (BLOCKS.has(type)) continue;
    const place = `${at}/message/content/${index}`;
    yield warning(
      place,
      "unknown-block",
      `unknown block type ${JSON.stringify(type)}`,
      "it is kept unchanged",
    );
  }
}
