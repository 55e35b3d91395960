import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isString } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { resultShape } from "./hints.js";
import { isResultImage, isResultText, NAME } from "./wire.js";

const { error, warning } = driftsOf(NAME);

export function* checkToolResult(record: JsonRecord, at: string): Generator<Drift> {
  const { toolCallId, toolName, isError } = record;
  if (toolCallId === undefined) {
    yield error(
      at,
      "no-tool-call-id",
      "the tool result has no call id",
      `write ${resultShape(undefined, toolName, isError)}`,
    );
  }
  if (toolName === undefined) {
    yield warning(
      at,
      "no-tool-name",
      "the tool result has no tool name",
      isString(toolCallId)
        ? `add "toolName": the name in the toolCall block with the id ${JSON.stringify(toolCallId)}`
        : `add "toolName"`,
    );
  }
  if (isError === undefined) {
    yield warning(
      at,
      "no-is-error",
      "the tool result has no isError",
      `add "isError": false, or true if it failed`,
    );
  }
  yield* checkResultContent(record, at);
}

function* checkResultContent({ content }: JsonRecord, at: string): Generator<Drift> {
  if (isString(content)) {
    yield error(
      `${at}/content`,
      "text-result",
      "the content of a tool result must be an array of blocks",
      `write [{ "type": "text", "text": "…" }]`,
    );
  } else if (!Array.isArray(content) || content.length === 0) {
    yield warning(
      content === undefined ? at : `${at}/content`,
      "empty-result",
      "a tool result must have at least one block",
      `write [{ "type": "text", "text": "" }]`,
    );
  } else {
    for (const [index, block] of content.entries()) {
      if (isResultText(block) || isResultImage(block)) continue;
      yield error(
        `${at}/content/${index}`,
        "result-block",
        "a tool result holds only text and images as data",
        `write { "type": "text", "text": "…" } or { "type": "image", "data": "…", "mimeType": "…" }`,
      );
    }
  }
}
