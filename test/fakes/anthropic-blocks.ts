import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { list, refuseIf } from "./refusal.js";

/** The fields of each kind of block, by the role that may send it. */
const KINDS: Record<string, { roles: string[]; fields: string[] }> = {
  text: { roles: ["user", "assistant"], fields: ["text", "citations"] },
  image: { roles: ["user"], fields: ["source"] },
  document: { roles: ["user"], fields: ["source", "title", "context", "citations"] },
  tool_result: { roles: ["user"], fields: ["tool_use_id", "content", "is_error"] },
  tool_use: { roles: ["assistant"], fields: ["id", "name", "input", "caller"] },
  thinking: { roles: ["assistant"], fields: ["thinking", "signature"] },
  redacted_thinking: { roles: ["assistant"], fields: ["data"] },
};

/** What servers and programs of Anthropic's own run is not checked. */
const UNCHECKED = /^(?:server_tool_use|mcp_tool_use|.*_tool_result|container_upload|fallback|compaction)$/;

export function checkBlock(block: JsonObject, role: string, at: string): void {
  const type = String(block["type"]);
  const kind = KINDS[type];
  if (kind === undefined && UNCHECKED.test(type)) return;
  refuseIf(kind === undefined || !kind.roles.includes(role), `${at}: Input tag '${type}' found using 'type'`);
  const unmarked = type === "thinking" || type === "redacted_thinking";
  for (const field of Object.keys(block)) {
    const isKnown =
      field === "type" || kind?.fields.includes(field) || (field === "cache_control" && !unmarked);
    refuseIf(!isKnown, `${at}.${type}.${field}: Extra inputs are not permitted`);
  }
  switch (type) {
    case "text":
      checkText(block, at);
      return;
    case "image":
    case "document":
      checkSource(block["source"], type, `${at}.${type}.source`);
      return;
    case "tool_result":
      checkResult(block, at);
      return;
    case "tool_use":
      refuseIf(
        !/^[a-zA-Z0-9_-]{1,64}$/.test(String(block["id"])),
        `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
      );
      refuseIf(!isObject(block["input"]), `${at}.tool_use.input: Input should be a valid dictionary`);
      return;
    case "thinking":
      refuseIf(!block["signature"], `${at}: Invalid \`signature\` in \`thinking\` block`);
      return;
    case "redacted_thinking":
      refuseIf(!block["data"], `${at}: Invalid \`data\` in \`redacted_thinking\` block`);
  }
}

function checkText({ text, cache_control: mark }: JsonObject, at: string): void {
  refuseIf(typeof text !== "string", `${at}.text.text: Input should be a valid string`);
  refuseIf(text === "" && mark !== undefined, "cache_control cannot be set for empty text blocks");
  refuseIf(text === "", "messages: text content blocks must be non-empty");
  refuseIf(String(text).trim() === "", "messages: text content blocks must contain non-whitespace text");
}

const IMAGES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

function checkSource(source: unknown, type: string, at: string): void {
  refuseIf(!isObject(source), `${at}: Field required`);
  if (!isObject(source)) return;
  const { type: kind, media_type: mediaType, data, url } = source;
  switch (kind) {
    case "url":
      refuseIf(!/^https?:/.test(String(url)), `${at}.url.url: Only HTTPS URLs are supported.`);
      return;
    case "base64": {
      const known = type === "image" ? IMAGES.has(String(mediaType)) : mediaType === "application/pdf";
      refuseIf(!known, `${at}.base64.media_type: Input should be a supported type`);
      refuseIf(!/^[A-Za-z0-9+/]+={0,2}$/.test(String(data)), `${at}.base64.data: Invalid base64 data`);
      return;
    }
    case "text":
      refuseIf(type !== "document" || mediaType !== "text/plain", `${at}: Input should be 'text/plain'`);
      return;
    default:
      refuseIf(true, `${at}: Input tag '${kind}' found using 'type'`);
  }
}

function checkResult({ content, tool_use_id: id, is_error: isError }: JsonObject, at: string): void {
  refuseIf(typeof id !== "string", `${at}.tool_result.tool_use_id: Field required`);
  refuseIf(
    isError !== undefined && typeof isError !== "boolean",
    `${at}.tool_result.is_error: Input should be a valid boolean`,
  );
  if (content === undefined || typeof content === "string") return;
  for (const [index, block] of list(content, `${at}.tool_result.content`).entries()) {
    const place = `${at}.tool_result.content.${index}`;
    refuseIf(
      !["text", "image", "document"].includes(String(block["type"])),
      `${place}: Input tag '${block["type"]}' found`,
    );
    checkBlock(block, "user", place);
  }
}
