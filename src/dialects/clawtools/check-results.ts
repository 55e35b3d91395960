import type { Drift, JsonRecord } from "../../core/dialect.js";
import { resultShape } from "./shapes.js";
import { isResultImage, isResultText, isString } from "./wire.js";

export function* checkToolResult(record: JsonRecord, at: string): Generator<Drift> {
  const { toolCallId, toolName, isError } = record;
  if (toolCallId === undefined) {
    yield {
      at,
      code: "clawtools/no-tool-call-id",
      message: "the tool result does not say which call it is for",
      hint: `write ${resultShape(undefined, toolName, isError)}`,
      severity: "error",
    };
  }
  if (toolName === undefined) {
    yield {
      at,
      code: "clawtools/no-tool-name",
      message: "the tool result does not name its tool",
      hint: isString(toolCallId)
        ? `add "toolName": the name in the toolCall block with the id ${JSON.stringify(toolCallId)}`
        : `add "toolName"`,
      severity: "warning",
    };
  }
  if (isError === undefined) {
    yield {
      at,
      code: "clawtools/no-is-error",
      message: "the tool result does not say whether the call failed",
      hint: `add "isError": false, or true if it failed`,
      severity: "warning",
    };
  }
  yield* checkResultContent(record, at);
}

function* checkResultContent({ content }: JsonRecord, at: string): Generator<Drift> {
  if (isString(content)) {
    yield {
      at: `${at}/content`,
      code: "clawtools/text-result",
      message: "the content of a tool result is an array of blocks",
      hint: `write [{ "type": "text", "text": "…" }]`,
      severity: "error",
    };
  } else if (!Array.isArray(content) || content.length === 0) {
    yield {
      at: content === undefined ? at : `${at}/content`,
      code: "clawtools/empty-result",
      message: "a tool result has one or more blocks",
      hint: `write [{ "type": "text", "text": "" }]`,
      severity: "warning",
    };
  } else {
    for (const [index, block] of content.entries()) {
      if (isResultText(block) || isResultImage(block)) continue;
      yield {
        at: `${at}/content/${index}`,
        code: "clawtools/result-block",
        message: "a tool result holds text and images as data, nothing else",
        hint: `write { "type": "text", "text": "…" } or { "type": "image", "data": "…", "mimeType": "…" }`,
        severity: "error",
      };
    }
  }
}
