import type OpenAI from "openai";
import { expectTypeOf, test } from "vitest";
import type {
  CallPart,
  Chunk,
  ContentPart,
  RefusalPart,
  RequestFields,
  ToolPart,
  UsageFields,
} from "../../../src/dialects/openai-chat/wire.js";

type Sdk = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

test("what we write is what the official client's types allow", () => {
  expectTypeOf<ContentPart>().toExtend<OpenAI.Chat.Completions.ChatCompletionContentPart>();
  expectTypeOf<RefusalPart>().toExtend<OpenAI.Chat.Completions.ChatCompletionContentPartRefusal>();
  expectTypeOf<CallPart>().toExtend<OpenAI.Chat.Completions.ChatCompletionMessageToolCall>();
  expectTypeOf<ToolPart>().toExtend<OpenAI.Chat.Completions.ChatCompletionTool>();
  expectTypeOf<RequestFields>().toExtend<Partial<Sdk>>();
  expectTypeOf<UsageFields>().toExtend<OpenAI.CompletionUsage>();
  expectTypeOf<Chunk>().toExtend<OpenAI.Chat.Completions.ChatCompletionChunk>();
});
