import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { claudeSchemaRefusal } from "./output-rules.js";
import { list, Refusal, refuseIf } from "./refusal.js";

const FIELDS = new Set(
  "messages system inferenceConfig toolConfig guardrailConfig additionalModelRequestFields promptVariables additionalModelResponseFieldPaths requestMetadata performanceConfig serviceTier outputConfig".split(
    " ",
  ),
);
const BLOCKS: Record<string, Set<string>> = {
  user: new Set("text image document video audio toolResult guardContent cachePoint searchResult".split(" ")),
  assistant: new Set("text toolUse reasoningContent cachePoint citationsContent image".split(" ")),
  result: new Set("text json image document video searchResult".split(" ")),
  system: new Set("text guardContent cachePoint".split(" ")),
};
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What the real API says to a request for Claude that it refuses; undefined for one that it accepts. */
export function validateRequest(body: unknown): string | undefined {
  try {
    if (!isObject(body)) throw new Refusal("1 validation error detected: the body is not an object");
    for (const field of Object.keys(body))
      refuseIf(!FIELDS.has(field), `${field} is not a member of the request`);
    checkInference(body);
    checkOutput(body);
    const tools = checkTools(body["toolConfig"]);
    for (const [index, block] of list(body["system"] ?? [], "system").entries()) {
      checkBlock(block, "system", `system.${index}`);
    }
    checkMessages(list(body["messages"], "messages"), tools);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function checkInference({
  inferenceConfig,
  additionalModelRequestFields: fields,
  toolConfig,
}: JsonObject): void {
  const { maxTokens, temperature, topP, stopSequences } = isObject(inferenceConfig) ? inferenceConfig : {};
  refuseIf(maxTokens !== undefined && Number(maxTokens) < 1, "maxTokens must be at least 1");
  for (const [name, value] of Object.entries({ temperature, topP })) {
    const isWithin = value === undefined || (Number(value) >= 0 && Number(value) <= 1);
    refuseIf(!isWithin, `Value at inferenceConfig.${name} must be between 0 and 1`);
  }
  const stops: unknown[] = Array.isArray(stopSequences) ? stopSequences : [];
  refuseIf(
    stops.some((text) => String(text).trim() === ""),
    "stop_sequences: each stop sequence must contain non-whitespace",
  );
  const thinking = isObject(fields) ? fields["thinking"] : undefined;
  if (!isObject(thinking) || thinking["type"] !== "enabled") return;
  const budget = Number(thinking["budget_tokens"]);
  refuseIf(
    !(budget >= 1024),
    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
  );
  refuseIf(
    maxTokens !== undefined && Number(maxTokens) <= budget,
    "`max_tokens` must be greater than `thinking.budget_tokens`",
  );
  refuseIf(temperature !== undefined, "`temperature` may only be set to 1 when thinking is enabled");
  const choice = isObject(toolConfig) ? toolConfig["toolChoice"] : undefined;
  const isForced = isObject(choice) && !("auto" in choice);
  refuseIf(isForced, "Thinking may not be enabled when tool_choice forces tool use.");
}

function checkOutput({ outputConfig, serviceTier }: JsonObject): void {
  const tier = isObject(serviceTier) ? serviceTier["type"] : serviceTier;
  const tiers: unknown[] = [undefined, "default", "flex", "priority", "reserved"];
  refuseIf(
    !tiers.includes(tier),
    "Value at serviceTier.type must be one of default, flex, priority, reserved",
  );
  const format = isObject(outputConfig) ? outputConfig["textFormat"] : undefined;
  if (!isObject(format)) return;
  refuseIf(format["type"] !== "json_schema", "Value at outputConfig.textFormat.type must be json_schema");
  const { structure } = format;
  const definition = isObject(structure) ? structure["jsonSchema"] : undefined;
  const text = isObject(definition) ? definition["schema"] : undefined;
  if (typeof text !== "string")
    throw new Refusal("outputConfig.textFormat.structure.jsonSchema.schema is missing");
  const schema: unknown = JSON.parse(text);
  const refusal = claudeSchemaRefusal(schema);
  if (refusal !== undefined) throw new Refusal(refusal);
}

function checkTools(config: unknown): boolean {
  if (config === undefined) return false;
  refuseIf(!isObject(config), "toolConfig is not an object");
  const tools = list(isObject(config) ? config["tools"] : undefined, "toolConfig.tools");
  refuseIf(tools.length === 0, "Member must have length greater than or equal to 1 at toolConfig.tools");
  const names = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    if ("cachePoint" in tool || "systemTool" in tool) continue;
    const at = `toolConfig.tools.${index}.toolSpec`;
    const spec = tool["toolSpec"];
    if (!isObject(spec)) throw new Refusal(`${at} is missing`);
    const { name, description, inputSchema } = spec;
    refuseIf(!/^[a-zA-Z0-9_-]{1,64}$/.test(String(name)), `Value at ${at}.name must satisfy [a-zA-Z0-9_-]+`);
    refuseIf(names.has(name), "The tool configuration contains duplicate names");
    names.add(name);
    refuseIf(description === "", `${at}.description must have length greater than or equal to 1`);
    const schema = isObject(inputSchema) ? inputSchema["json"] : undefined;
    refuseIf(
      !isObject(schema) || schema["type"] !== "object",
      `The value at ${at}.inputSchema.json.type must be one of the following: object.`,
    );
  }
  return true;
}

function checkMessages(messages: readonly JsonObject[], hasTools: boolean): void {
  refuseIf(messages[0]?.["role"] !== "user", "A conversation must start with a user message.");
  let before: JsonObject | undefined;
  const documents: unknown[] = [];
  for (const [index, message] of messages.entries()) {
    const { role, content } = message;
    const at = `messages.${index}`;
    refuseIf(role !== "user" && role !== "assistant", `${at}.role must be user or assistant`);
    refuseIf(
      role === before?.["role"],
      "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.",
    );
    const blocks = list(content, `${at}.content`);
    refuseIf(
      blocks.length === 0,
      `The content field in the Message object at ${at} is empty. Add a ContentBlock object to the content field and try again.`,
    );
    for (const [place, block] of blocks.entries()) checkBlock(block, String(role), `${at}.content.${place}`);
    const isUsing = blocks.some((block) => "toolUse" in block || "toolResult" in block);
    refuseIf(
      isUsing && !hasTools,
      "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
    );
    refuseIf(
      role === "user" && has(blocks, "document") && !has(blocks, "text"),
      `${at}: a text block must be included when a document is`,
    );
    documents.push(...documentNames(blocks));
    checkPairs(before, blocks, at);
    before = message;
  }
  refuseIf(new Set(documents).size < documents.length, "Messages contains duplicate document names");
  const last = list(before?.["content"] ?? [], "messages").at(-1);
  const isAnswer = before?.["role"] === "assistant";
  refuseIf(
    isAnswer && last !== undefined && "toolUse" in last,
    "Expected toolResult blocks for the last toolUse",
  );
  const text = String(last?.["text"] ?? "");
  refuseIf(
    isAnswer && text !== text.trimEnd(),
    "final assistant content cannot end with trailing whitespace",
  );
}

function has(blocks: readonly JsonObject[], kind: string): boolean {
  return blocks.some((block) => kind in block);
}

function documentNames(blocks: readonly JsonObject[]): unknown[] {
  return blocks.flatMap((block) => {
    const { document, toolResult } = block;
    if (isObject(toolResult)) return documentNames(list(toolResult["content"], "content"));
    return isObject(document) ? [document["name"]] : [];
  });
}

/** Every call has its result in the message after it, and every result has its call. */
function checkPairs(before: JsonObject | undefined, blocks: readonly JsonObject[], at: string): void {
  const idsIn = (content: readonly JsonObject[], kind: string) =>
    content.flatMap((block) => (isObject(block[kind]) ? [block[kind]["toolUseId"]] : []));
  const calls = before?.["role"] === "assistant" ? idsIn(list(before["content"], at), "toolUse") : [];
  const results = idsIn(blocks, "toolResult");
  const open = calls.filter((id) => !results.includes(id));
  refuseIf(
    open.length > 0,
    `Expected toolResult blocks at ${at}.content for the following Ids: ${open.join(", ")}`,
  );
  refuseIf(
    results.length > calls.length || results.some((id) => !calls.includes(id)),
    `The number of toolResult blocks at ${at}.content exceeds the number of toolUse blocks of previous turn.`,
  );
}

function checkBlock(block: JsonObject, role: string, at: string): void {
  const [kind = "", ...others] = Object.keys(block);
  refuseIf(
    others.length > 0 || !BLOCKS[role]?.has(kind),
    `Invalid union at ${at}: ${Object.keys(block).join()}`,
  );
  const value = block[kind];
  if (kind === "text") {
    const isBlank = typeof value !== "string" || value.trim() === "";
    refuseIf(
      isBlank,
      `The text field in the ContentBlock object at ${at} is blank. Add text to the text field, and try again.`,
    );
    refuseIf(/\p{Surrogate}/u.test(String(value)), `${at}: invalid UTF-8`);
    return;
  }
  if (kind === "json") return;
  if (!isObject(value)) throw new Refusal(`${at}.${kind} is not an object`);
  if (kind === "image") checkImage(value, at);
  if (kind === "document") checkDocument(value, at);
  if (kind === "toolUse") checkCall(value, at);
  if (kind === "reasoningContent") checkReasoning(value, at);
  if (kind !== "toolResult") return;
  const { status } = value;
  refuseIf(
    status !== undefined && status !== "error" && status !== "success",
    `${at}.status is not a status`,
  );
  for (const [index, inner] of list(value["content"], `${at}.content`).entries()) {
    checkBlock(inner, "result", `${at}.toolResult.content.${index}`);
  }
}

function checkCall({ toolUseId, name, input }: JsonObject, at: string): void {
  refuseIf(
    !/^[a-zA-Z0-9_-]{1,64}$/.test(String(toolUseId)),
    `${at}.toolUse.toolUseId must satisfy [a-zA-Z0-9_-]+`,
  );
  refuseIf(!/^[a-zA-Z0-9_-]{1,64}$/.test(String(name)), `${at}.toolUse.name must satisfy [a-zA-Z0-9_-]+`);
  refuseIf(
    !isObject(input),
    `The format of the value at ${at}.toolUse.input is invalid. Provide a json object`,
  );
}

function checkReasoning({ reasoningText, redactedContent }: JsonObject, at: string): void {
  if (redactedContent !== undefined) {
    refuseIf(!BASE64.test(String(redactedContent)), `${at}: redactedContent is not base64`);
    return;
  }
  const isSigned = isObject(reasoningText) && typeof reasoningText["signature"] === "string";
  refuseIf(!isSigned, `${at}.thinking.signature: Field required`);
}

function checkImage({ format, source }: JsonObject, at: string): void {
  refuseIf(!["png", "jpeg", "gif", "webp"].includes(String(format)), `${at}.image.format is not supported`);
  checkBytes(source, at);
}

function checkDocument({ format, name, source }: JsonObject, at: string): void {
  const formats = ["pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"];
  refuseIf(!formats.includes(String(format)), `${at}.document.format is not supported`);
  refuseIf(
    !/^[\p{L}\p{N}\s()[\]-]{1,200}$/u.test(String(name)) || /\s{2}/.test(String(name)),
    "The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name can't contain more than one consecutive whitespace character.",
  );
  checkBytes(source, at);
}

function checkBytes(source: unknown, at: string): void {
  if (!isObject(source)) throw new Refusal(`${at}: source is missing`);
  const { bytes, s3Location, text } = source;
  if (s3Location !== undefined || text !== undefined) return;
  refuseIf(typeof bytes !== "string" || !BASE64.test(bytes), `${at}: bytes is not base64`);
}
