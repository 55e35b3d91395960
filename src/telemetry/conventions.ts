import type { CallOptions } from "../core/api/provider.js";
import type { Usage } from "../core/types.js";
import type { HistogramKind } from "./histograms.js";
import type { Attributes } from "./wire.js";

/* The names that the GenAI semantic conventions define; docs/guide/telemetry.md states the revision. */

export const OPERATION = "gen_ai.operation.name";
export const PROVIDER = "gen_ai.provider.name";
export const REQUEST_MODEL = "gen_ai.request.model";
export const RESPONSE_MODEL = "gen_ai.response.model";
export const AGENT = "gen_ai.agent.name";
export const CONVERSATION = "gen_ai.conversation.id";

export const TOKEN_USAGE: HistogramKind = {
  name: "gen_ai.client.token.usage",
  description: "Number of input and output tokens used.",
  unit: "{token}",
  bounds: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
};

export const DURATION: HistogramKind = {
  name: "gen_ai.client.operation.duration",
  description: "GenAI operation duration.",
  unit: "s",
  bounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
};

/** Our names of providers that the conventions name differently. */
const providerNames: Readonly<Record<string, string>> = {
  azure: "azure.ai.openai",
  bedrock: "aws.bedrock",
  google: "gcp.gemini",
  mistral: "mistral_ai",
  moonshot: "moonshot_ai",
  vertex: "gcp.vertex_ai",
  "vertex-anthropic": "gcp.vertex_ai",
  xai: "x_ai",
};

export function providerName(provider: string): string {
  return providerNames[provider] ?? provider;
}

/** Unlike ours, the input tokens of the conventions include the cached ones. */
export function inputTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

export function usageAttributes(usage: Usage, reasoning = 0): Attributes {
  return {
    "gen_ai.usage.input_tokens": inputTokens(usage),
    "gen_ai.usage.output_tokens": usage.output,
    "gen_ai.usage.cache_read.input_tokens": usage.cacheRead || undefined,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWrite || undefined,
    "gen_ai.usage.reasoning.output_tokens": reasoning || undefined,
  };
}

export function optionAttributes(options: CallOptions): Attributes {
  return {
    "gen_ai.request.max_tokens": options.maxTokens,
    "gen_ai.request.temperature": options.temperature,
    "gen_ai.request.top_p": options.topP,
    "gen_ai.request.top_k": options.topK,
    "gen_ai.request.seed": options.seed,
    "gen_ai.request.stop_sequences": options.stop,
    "gen_ai.request.presence_penalty": options.presencePenalty,
    "gen_ai.request.frequency_penalty": options.frequencyPenalty,
    "gen_ai.output.type": options.output === undefined ? undefined : "json",
  };
}

/** The address without path, query and credentials, any of which could be secret. */
export function serverAttributes(url: string | undefined): Attributes {
  if (url === undefined || !URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  const standard = protocol === "https:" ? 443 : 80;
  return {
    "server.address": hostname.replace(/^\[|\]$/g, ""),
    "server.port": port === "" ? standard : Number(port),
  };
}
