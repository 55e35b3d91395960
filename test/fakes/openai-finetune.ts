/** Why the fine-tuning API would refuse a training file, by line. It checks a file before a job starts. */
export function refusalsOf(file: string): string[] {
  return file
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line, index) => refusalsOfExample(JSON.parse(line)).map((why) => `line ${index + 1}: ${why}`));
}

type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refusalsOfExample(example: unknown): string[] {
  if (!isFields(example)) return ["not an object"];
  const { messages, tools, parallel_tool_calls: parallel, ...others } = example;
  const found = Object.keys(others).map((key) => `contains an extra "${key}"`);
  if (!Array.isArray(messages) || messages.length === 0) return [...found, "no messages"];
  if (parallel !== undefined && typeof parallel !== "boolean")
    found.push("parallel_tool_calls is not a boolean");
  if (parallel !== undefined && tools === undefined) found.push("parallel_tool_calls without tools");
  if (tools !== undefined) found.push(...refusalsOfTools(tools));
  found.push(
    ...messages.flatMap((one: unknown, index) =>
      refusalsOfMessage(one).map((why) => `message ${index}: ${why}`),
    ),
  );
  const answers = messages.filter((one) => isFields(one) && one["role"] === "assistant");
  if (messages.at(-1) !== answers.at(-1)) found.push("the last message is not from the assistant");
  if (answers.every((one) => one["weight"] === 0)) found.push("no answer has a weight");
  return [...found, ...refusalsOfOrder(messages)];
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function refusalsOfTools(tools: unknown): string[] {
  if (!Array.isArray(tools) || tools.length === 0) return ["tools is not a list of tools"];
  return tools.flatMap((tool: unknown) => {
    if (!isFields(tool) || tool["type"] !== "function" || !isFields(tool["function"]))
      return ["not a function"];
    const { name, description, parameters, strict, ...others } = tool["function"];
    return [
      ...(typeof name === "string" && NAME.test(name) ? [] : [`bad tool name ${JSON.stringify(name)}`]),
      ...(description === undefined || typeof description === "string" ? [] : ["bad description"]),
      ...(parameters === undefined || isFields(parameters) ? [] : ["bad parameters"]),
      ...(strict === undefined || typeof strict === "boolean" ? [] : ["bad strict"]),
      ...Object.keys(others).map((key) => `a tool contains an extra "${key}"`),
    ];
  });
}

/** The fields of each role. */
const fields: Record<string, readonly string[]> = {
  system: ["role", "content"],
  user: ["role", "content", "name"],
  assistant: ["role", "content", "tool_calls", "weight"],
  tool: ["role", "content", "tool_call_id"],
};

function refusalsOfMessage(message: unknown): string[] {
  if (!isFields(message)) return ["not an object"];
  const { role, content, name, weight, tool_calls: calls } = message;
  const known = fields[String(role)];
  if (known === undefined) return [`unknown role ${JSON.stringify(role)}`];
  const found = Object.keys(message)
    .filter((key) => !known.includes(key))
    .map((key) => `contains an extra "${key}"`);
  if (role === "user" && Array.isArray(content)) found.push(...content.flatMap(refusalsOfPart));
  else if (
    !(role === "assistant" && content === undefined && calls !== undefined) &&
    typeof content !== "string"
  )
    found.push("content: input should be a valid string");
  if (role !== "tool" && content === "") found.push("empty content");
  if (name !== undefined && !(typeof name === "string" && NAME.test(name))) found.push("bad name");
  if (weight !== undefined && weight !== 0 && weight !== 1) found.push("weight must be 0 or 1");
  if (calls !== undefined && (!Array.isArray(calls) || calls.length === 0)) found.push("tool_calls is empty");
  return [...found, ...(Array.isArray(calls) ? calls.flatMap(refusalsOfCall) : [])];
}

function refusalsOfPart(part: unknown): string[] {
  if (!isFields(part)) return ["a part is not an object"];
  if (part["type"] === "text")
    return typeof part["text"] === "string" && part["text"] !== "" ? [] : ["empty text"];
  const image = part["image_url"];
  if (part["type"] !== "image_url" || !isFields(image))
    return [`unknown part ${JSON.stringify(part["type"])}`];
  const url = String(image["url"]);
  return /^https?:\/\/|^data:image\/(?:jpeg|png|webp);base64,/.test(url) ? [] : ["bad image"];
}

function refusalsOfCall(call: unknown): string[] {
  if (!isFields(call) || call["type"] !== "function" || !isFields(call["function"])) return ["not a call"];
  const { name, arguments: text } = call["function"];
  return [
    ...(typeof call["id"] === "string" && call["id"] !== "" ? [] : ["a call without an id"]),
    ...(typeof name === "string" && NAME.test(name) ? [] : [`bad tool name ${JSON.stringify(name)}`]),
    ...(typeof text === "string" && isFields(JSON.parse(text))
      ? []
      : ["arguments are not a JSON object as text"]),
  ];
}

/** Results directly follow the answer with their calls, one for each call, unless that answer is the last message. */
function refusalsOfOrder(messages: readonly unknown[]): string[] {
  const found: string[] = [];
  let open = new Set<unknown>();
  for (const message of messages) {
    if (!isFields(message)) continue;
    if (message["role"] === "tool") {
      if (!open.delete(message["tool_call_id"])) found.push("a result without a call before it");
      continue;
    }
    if (open.size > 0) found.push("a call without a result");
    const calls = Array.isArray(message["tool_calls"]) ? message["tool_calls"] : [];
    open = new Set(calls.map((call: unknown) => (isFields(call) ? call["id"] : undefined)));
    if (open.size < calls.length) found.push("two calls with the same id");
  }
  return found;
}
