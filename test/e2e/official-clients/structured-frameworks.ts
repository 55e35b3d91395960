import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOllama } from "@langchain/ollama";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, OpenAIProvider, Runner } from "@openai/agents";
import { generateObject, generateText, type LanguageModel, Output, streamObject, streamText } from "ai";
import { createOllama } from "ollama-ai-provider-v2";
import OpenAI from "openai";
import { QUESTION, type StructuredClient, Weather } from "./structured-clients.js";
import type { Target } from "./tool-loops.js";

type AiModel = (target: Target) => LanguageModel;

const aiModels: Readonly<Record<string, AiModel>> = {
  "@ai-sdk/openai": ({ url, key, model }) => createOpenAI({ baseURL: `${url}/v1`, apiKey: key })(model),
  "@ai-sdk/openai chat": ({ url, key, model }) =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey: key }).chat(model),
  "@ai-sdk/openai-compatible": ({ url, key, model }) =>
    createOpenAICompatible({
      name: "gateway",
      baseURL: `${url}/v1`,
      apiKey: key,
      supportsStructuredOutputs: true,
    })(model),
  "@ai-sdk/anthropic": ({ url, key, model }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model),
  "@ai-sdk/google": ({ url, key, model }) =>
    createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: key })(model),
  "@ai-sdk/google models/": ({ url, key, model }) =>
    createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: key })(`models/${model}`),
  "ollama-ai-provider-v2": ({ url, key, model }) =>
    createOllama({ baseURL: `${url}/api`, headers: { authorization: `Bearer ${key}` } })(model),
};

/** `generateObject` and `streamObject`. */
function asObject(modelOf: AiModel): StructuredClient {
  return async (target) => {
    const call = { model: modelOf(target), schema: Weather, prompt: QUESTION, maxRetries: 0 };
    if (!target.stream) return (await generateObject(call)).object;
    const { partialObjectStream, object } = streamObject(call);
    // The object is complete when its parts were read.
    for await (const _ of partialObjectStream);
    return object;
  };
}

/** `Output.object` of `generateText` and `streamText`. */
function asOutput(modelOf: AiModel): StructuredClient {
  return async (target) => {
    const output = Output.object({ schema: Weather });
    const call = { model: modelOf(target), output, prompt: QUESTION, maxRetries: 0 };
    return target.stream ? streamText(call).output : (await generateText(call)).output;
  };
}

type ChainModel = (target: Target) => BaseChatModel;

const chainModels: Readonly<Record<string, ChainModel>> = {
  "@langchain/openai": ({ url, key, model }) =>
    new ChatOpenAI({ model, apiKey: key, maxRetries: 0, configuration: { baseURL: `${url}/v1` } }),
  "@langchain/openai responses": ({ url, key, model }) =>
    new ChatOpenAI({
      model,
      apiKey: key,
      maxRetries: 0,
      useResponsesApi: true,
      configuration: { baseURL: `${url}/v1` },
    }),
  "@langchain/anthropic": ({ url, key, model }) =>
    new ChatAnthropic({ model, apiKey: key, anthropicApiUrl: url, maxRetries: 0, maxTokens: 500 }),
  "@langchain/google-genai": ({ url, key, model }) =>
    new ChatGoogleGenerativeAI({ model, apiKey: key, baseUrl: url, maxRetries: 0 }),
  "@langchain/google-genai models/": ({ url, key, model }) =>
    new ChatGoogleGenerativeAI({ model: `models/${model}`, apiKey: key, baseUrl: url, maxRetries: 0 }),
  "@langchain/ollama": ({ url, key, model }) =>
    new ChatOllama({ model, baseUrl: url, headers: { authorization: `Bearer ${key}` }, maxRetries: 0 }),
};

/** `withStructuredOutput`, by the client's default method or by this one. */
function asChain(modelOf: ChainModel, method?: "jsonSchema"): StructuredClient {
  return async (target) => {
    const options = { name: "weather", ...(method === undefined ? {} : { method }) };
    const chain = modelOf(target).withStructuredOutput(Weather, options);
    if (!target.stream) return chain.invoke(QUESTION);
    let last: unknown;
    for await (const part of await chain.stream(QUESTION)) last = part;
    return last;
  };
}

/** `outputType` of an agent. */
function asAgent(useResponses: boolean): StructuredClient {
  return async ({ url, key, model, stream }) => {
    const openAIClient = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
    const modelProvider = new OpenAIProvider({ openAIClient, useResponses });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const agent = new Agent({ name: "Weather", model, outputType: Weather });
    if (!stream) return (await runner.run(agent, QUESTION)).finalOutput;
    const result = await runner.run(agent, QUESTION, { stream: true });
    await result.completed;
    return result.finalOutput;
  };
}

function each<M>(models: Readonly<Record<string, M>>, how: string, make: (model: M) => StructuredClient) {
  return Object.fromEntries(Object.entries(models).map(([name, model]) => [`${name} ${how}`, make(model)]));
}

/** The frameworks' clients. */
export const structuredFrameworks: Readonly<Record<string, StructuredClient>> = {
  ...each(aiModels, "generateObject", asObject),
  ...each(aiModels, "Output.object", asOutput),
  ...each(chainModels, "withStructuredOutput", (model) => asChain(model)),
  "@langchain/anthropic jsonSchema": asChain(
    ({ url, key, model }) =>
      new ChatAnthropic({ model, apiKey: key, anthropicApiUrl: url, maxRetries: 0, maxTokens: 500 }),
    "jsonSchema",
  ),
  "@openai/agents outputType, responses": asAgent(true),
  "@openai/agents outputType, chat": asAgent(false),
};
