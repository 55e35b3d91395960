import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isString } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { resultShape } from "./hints.js";
import { isResultImage, isResultText, NAME } from "./wire.js";

const { error, warning } = driftsOf(NAME);

export function* checkToolResult(record: JsonRecord, at: string): Generator<Drift> {
  const { toolCallId, toolName, isError } = record;
  if (toolCallId === undefined) {
    const hint = `write ${resultShape(undefined, toolName, isError)}`;
    yield error(at, "no-tool-call-id", "the tool result has no call id", hint);
  }
  if (toolName === undefined) {
    const where = `: the name in the toolCall block with the id ${JSON.stringify(toolCallId)}`;
    const hint = `add "toolName"${isString(toolCallId) ? where : ""}`;
    yield warning(at, "no-tool-name", "the tool result has no tool name", hint);
  }
  if (isError === undefined) {
    const hint = `add "isError": false, or true if it failed`;
    yield warning(at, "no-is-error", "the tool result has no isError", hint);
  }
  yield* checkResultContent(record, at);
}

function* checkResultContent(record: JsonRecord, at: string): Generator<Drift> {
  const { content } = record;
  if (isString(content)) {
    const message = "the content of a tool result must be an array of blocks";
    yield error(`${at}/content`, "text-result", message, `write [{ "type": "text", "text": "…" }]`);
  } else if (!Array.isArray(content) || content.length === 0) {
    const message = "a tool result must have at least one block";
    const hint = `write [{ "type": "text", "text": "" }]`;
    yield warning(fieldPlace(record, "content", at), "empty-result", message, hint);
  } else {
    for (const [index, block] of content.entries()) {
      if (isResultText(block) || isResultImage(block)) continue;
      const message = "a tool result holds only text and images as data";
      const hint = `write { "type": "text", "text": "…" } or { "type": "image", "data": "…", "mimeType": "…" }`;
      yield error(`${at}/content/${index}`, "result-block", message, hint);
    }
  }
}
