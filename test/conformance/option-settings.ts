import type { JsonObject } from "../../src/core/json/value.js";
import type { ApiName } from "../../src/dialects/registry.js";

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const named = { name: "place", schema, strict: true };
const tool = {
  anthropic: { name: "t", input_schema: { type: "object" }, strict: true },
  "openai-chat": { type: "function", function: { name: "t", parameters: { type: "object" }, strict: true } },
  "openai-responses": {
    type: "function",
    name: "t",
    description: "",
    parameters: { type: "object" },
    strict: true,
  },
  google: { functionDeclarations: [{ name: "t", parametersJsonSchema: { type: "object" } }] },
  ollama: { type: "function", function: { name: "t", description: "", parameters: { type: "object" } } },
  bedrock: { toolSpec: { name: "t", inputSchema: { json: { type: "object" } }, strict: true } },
} as const;

type Cells = Readonly<Partial<Record<ApiName, JsonObject>>>;

/** A setting: what clients of each API write, and what a model of each API is sent. No cell: the API does not have it. */
export interface Setting {
  name: string;
  /** Where the loss points to in a target without the setting. */
  loss: string;
  reads: Cells;
  /** If it is written otherwise than it is read. */
  writes?: Cells;
  /** Targets that state it, and report that they do not state it exactly. */
  approximated?: readonly ApiName[];
}

export const settings: readonly Setting[] = [
  {
    name: "limit",
    loss: "/options/maxTokens",
    reads: {
      anthropic: { max_tokens: 99 },
      "openai-chat": { max_tokens: 99 },
      "openai-responses": { max_output_tokens: 99 },
      google: { generationConfig: { maxOutputTokens: 99 } },
      ollama: { options: { num_predict: 99 } },
      bedrock: { inferenceConfig: { maxTokens: 99 } },
    },
    writes: { "openai-chat": { max_completion_tokens: 99 } },
  },
  {
    name: "limit below 16",
    loss: "/options/maxTokens",
    reads: {
      anthropic: { max_tokens: 9 },
      "openai-chat": { max_completion_tokens: 9 },
      "openai-responses": { max_output_tokens: 9 },
      google: { generationConfig: { maxOutputTokens: 9 } },
      ollama: { options: { num_predict: 9 } },
      bedrock: { inferenceConfig: { maxTokens: 9 } },
    },
    writes: { "openai-responses": { max_output_tokens: 16 } },
    approximated: ["openai-responses"],
  },
  {
    name: "temperature",
    loss: "/options/temperature",
    reads: {
      anthropic: { temperature: 0.5 },
      "openai-chat": { temperature: 0.5 },
      "openai-responses": { temperature: 0.5 },
      google: { generationConfig: { temperature: 0.5 } },
      ollama: { options: { temperature: 0.5 } },
      bedrock: { inferenceConfig: { temperature: 0.5 } },
    },
  },
  {
    name: "temperature above 1",
    loss: "/options/temperature",
    reads: {
      "openai-chat": { temperature: 1.5 },
      "openai-responses": { temperature: 1.5 },
      google: { generationConfig: { temperature: 1.5 } },
      ollama: { options: { temperature: 1.5 } },
    },
    writes: { anthropic: { temperature: 1 }, bedrock: { inferenceConfig: { temperature: 1 } } },
    approximated: ["anthropic", "bedrock"],
  },
  {
    name: "top p",
    loss: "/options/topP",
    reads: {
      anthropic: { top_p: 0.9 },
      "openai-chat": { top_p: 0.9 },
      "openai-responses": { top_p: 0.9 },
      google: { generationConfig: { topP: 0.9 } },
      ollama: { options: { top_p: 0.9 } },
      bedrock: { inferenceConfig: { topP: 0.9 } },
    },
  },
  {
    name: "top k",
    loss: "/options/topK",
    reads: {
      anthropic: { top_k: 40 },
      google: { generationConfig: { topK: 40 } },
      ollama: { options: { top_k: 40 } },
      bedrock: { additionalModelRequestFields: { top_k: 40 } },
    },
  },
  {
    name: "seed",
    loss: "/options/seed",
    reads: {
      "openai-chat": { seed: 7 },
      google: { generationConfig: { seed: 7 } },
      ollama: { options: { seed: 7 } },
    },
  },
  {
    name: "stop sequences",
    loss: "/options/stop",
    reads: {
      anthropic: { stop_sequences: ["END"] },
      "openai-chat": { stop: "END" },
      google: { generationConfig: { stopSequences: ["END"] } },
      ollama: { options: { stop: ["END"] } },
      bedrock: { inferenceConfig: { stopSequences: ["END"] } },
    },
    writes: { "openai-chat": { stop: ["END"] } },
  },
  {
    name: "presence penalty",
    loss: "/options/presencePenalty",
    reads: {
      "openai-chat": { presence_penalty: 0.4 },
      google: { generationConfig: { presencePenalty: 0.4 } },
      ollama: { options: { presence_penalty: 0.4 } },
    },
  },
  {
    name: "frequency penalty",
    loss: "/options/frequencyPenalty",
    reads: {
      "openai-chat": { frequency_penalty: 0.4 },
      google: { generationConfig: { frequencyPenalty: 0.4 } },
      ollama: { options: { frequency_penalty: 0.4 } },
    },
  },
  {
    name: "thinking at the level high",
    loss: "/options/thinking",
    reads: {
      anthropic: { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
      "openai-chat": { reasoning_effort: "high" },
      "openai-responses": { reasoning: { effort: "high" } },
      google: { generationConfig: { thinkingConfig: { thinkingLevel: "high" } } },
      ollama: { think: "high" },
      bedrock: {
        additionalModelRequestFields: { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
      },
    },
    writes: {
      "openai-responses": { reasoning: { effort: "high", summary: "auto" } },
      google: { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH" } } },
      ollama: { think: true },
    },
    approximated: ["ollama"],
  },
  {
    name: "thinking at the level max",
    loss: "/options/thinking",
    reads: {
      anthropic: { thinking: { type: "adaptive" }, output_config: { effort: "max" } },
      "openai-chat": { reasoning_effort: "max" },
      "openai-responses": { reasoning: { effort: "max" } },
      bedrock: {
        additionalModelRequestFields: { thinking: { type: "adaptive" }, output_config: { effort: "max" } },
      },
    },
    writes: {
      "openai-responses": { reasoning: { effort: "max", summary: "auto" } },
      google: { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH" } } },
      ollama: { think: true },
    },
    approximated: ["google", "ollama"],
  },
  {
    name: "thinking with a budget",
    loss: "/options/thinking",
    reads: {
      anthropic: { thinking: { type: "enabled", budget_tokens: 4000 } },
      google: { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 4000 } } },
      bedrock: { additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 4000 } } },
    },
    writes: {
      anthropic: { thinking: { type: "adaptive" }, output_config: { effort: "medium" } },
      "openai-chat": { reasoning_effort: "medium" },
      "openai-responses": { reasoning: { effort: "medium", summary: "auto" } },
      ollama: { think: true },
      bedrock: {
        additionalModelRequestFields: { thinking: { type: "adaptive" }, output_config: { effort: "medium" } },
      },
    },
    approximated: ["anthropic", "openai-chat", "openai-responses", "ollama", "bedrock"],
  },
  {
    name: "no thinking",
    loss: "/options/thinking",
    reads: {
      "openai-chat": { reasoning_effort: "none" },
      "openai-responses": { reasoning: { effort: "none" } },
      google: { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
      ollama: { think: false },
      bedrock: { additionalModelRequestFields: { reasoningConfig: { type: "disabled" } } },
    },
    writes: { anthropic: {}, bedrock: {} },
  },
  {
    name: "a required tool call",
    loss: "/options/toolChoice",
    reads: {
      anthropic: { tools: [tool.anthropic], tool_choice: { type: "any" } },
      "openai-chat": { tools: [tool["openai-chat"]], tool_choice: "required" },
      "openai-responses": { tools: [tool["openai-responses"]], tool_choice: "required" },
      google: { tools: [tool.google], toolConfig: { functionCallingConfig: { mode: "ANY" } } },
      bedrock: { toolConfig: { tools: [tool.bedrock], toolChoice: { any: {} } } },
    },
    writes: {
      anthropic: { tool_choice: { type: "any" } },
      "openai-chat": { tool_choice: "required" },
      "openai-responses": { tool_choice: "required" },
      google: { toolConfig: { functionCallingConfig: { mode: "ANY" } } },
      bedrock: { toolConfig: { toolChoice: { any: {} } } },
    },
  },
  {
    name: "a call of one tool",
    loss: "/options/toolChoice",
    reads: {
      anthropic: { tools: [tool.anthropic], tool_choice: { type: "tool", name: "t" } },
      "openai-chat": {
        tools: [tool["openai-chat"]],
        tool_choice: { type: "function", function: { name: "t" } },
      },
      "openai-responses": {
        tools: [tool["openai-responses"]],
        tool_choice: { type: "function", name: "t" },
      },
      google: {
        tools: [tool.google],
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["t"] } },
      },
      bedrock: { toolConfig: { tools: [tool.bedrock], toolChoice: { tool: { name: "t" } } } },
    },
    writes: {
      anthropic: { tool_choice: { type: "tool", name: "t" } },
      "openai-chat": { tool_choice: { type: "function", function: { name: "t" } } },
      "openai-responses": { tool_choice: { type: "function", name: "t" } },
      google: { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["t"] } } },
      bedrock: { toolConfig: { toolChoice: { tool: { name: "t" } } } },
    },
  },
  {
    name: "no parallel tool calls",
    loss: "/options/parallelToolCalls",
    reads: {
      anthropic: {
        tools: [tool.anthropic],
        tool_choice: { type: "auto", disable_parallel_tool_use: true },
      },
      "openai-chat": { tools: [tool["openai-chat"]], parallel_tool_calls: false },
      "openai-responses": { tools: [tool["openai-responses"]], parallel_tool_calls: false },
    },
    writes: {
      anthropic: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
      "openai-chat": { parallel_tool_calls: false },
      "openai-responses": { parallel_tool_calls: false },
    },
  },
  {
    name: "a strict tool",
    loss: "/tools/0/strict",
    reads: {
      anthropic: { tools: [tool.anthropic] },
      "openai-chat": { tools: [tool["openai-chat"]] },
      "openai-responses": { tools: [tool["openai-responses"]] },
      bedrock: { toolConfig: { tools: [tool.bedrock] } },
    },
  },
  {
    name: "output with a schema",
    loss: "/options/output",
    reads: {
      anthropic: {
        output_config: { format: { type: "json_schema", schema: { ...schema, title: "place" } } },
      },
      "openai-chat": { response_format: { type: "json_schema", json_schema: named } },
      "openai-responses": { text: { format: { type: "json_schema", ...named } } },
      google: {
        generationConfig: {
          responseMimeType: "application/json",
          responseJsonSchema: { ...schema, title: "place" },
        },
      },
      ollama: { format: { ...schema, title: "place" } },
      bedrock: {
        outputConfig: {
          textFormat: {
            type: "json_schema",
            structure: { jsonSchema: { schema: JSON.stringify(schema), name: "place" } },
          },
        },
      },
    },
    writes: {
      "openai-chat": {
        response_format: { type: "json_schema", json_schema: { name: "place", strict: true } },
      },
      "openai-responses": { text: { format: { type: "json_schema", name: "place", strict: true } } },
      bedrock: { outputConfig: { textFormat: { type: "json_schema" } } },
    },
  },
  {
    name: "output as JSON",
    loss: "/options/output",
    reads: {
      "openai-chat": { response_format: { type: "json_object" } },
      "openai-responses": { text: { format: { type: "json_object" } } },
      google: { generationConfig: { responseMimeType: "application/json" } },
      ollama: { format: "json" },
    },
  },
  {
    name: "the default service tier",
    loss: "/options/serviceTier",
    reads: {
      anthropic: { service_tier: "standard_only" },
      "openai-chat": { service_tier: "default" },
      "openai-responses": { service_tier: "default" },
      google: { serviceTier: "standard" },
      bedrock: { serviceTier: { type: "default" } },
    },
  },
  {
    name: "the flex service tier",
    loss: "/options/serviceTier",
    reads: {
      "openai-chat": { service_tier: "flex" },
      "openai-responses": { service_tier: "flex" },
      google: { serviceTier: "flex" },
      bedrock: { serviceTier: { type: "flex" } },
    },
  },
  {
    name: "the end user",
    loss: "/options/user",
    reads: {
      anthropic: { metadata: { user_id: "u-1" } },
      "openai-chat": { user: "u-1" },
      "openai-responses": { safety_identifier: "u-1" },
    },
    writes: { "openai-responses": { user: "u-1" } },
  },
];
