import type { ChatRequest, ChatResponse, Message, Tool, ToolCall } from "ollama";
import { expectTypeOf, test } from "vitest";
import type {
  WireAnswer,
  WireCall,
  WireMessage,
  WireRequest,
  WireTool,
} from "../../../src/dialects/ollama/wire.js";

// The client declares `created_at` as a Date but hands on the text; counts that are zero are left out by the server.
type ClientAnswer = Partial<Omit<ChatResponse, "created_at" | "message">>;

test("what we write is what the official client declares", () => {
  expectTypeOf<Omit<WireRequest, "messages" | "tools">>().toExtend<ChatRequest>();
  expectTypeOf<Omit<WireMessage, "tool_calls">>().toExtend<Message>();
  expectTypeOf<WireCall>().toExtend<ToolCall>();
  expectTypeOf<WireTool>().toExtend<Tool>();
  expectTypeOf<Omit<WireAnswer, "created_at" | "message">>().toExtend<ClientAnswer>();
});
