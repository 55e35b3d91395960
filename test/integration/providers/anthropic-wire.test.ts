import type Anthropic from "@anthropic-ai/sdk";
import { expectTypeOf, test } from "vitest";
import type * as wire from "../../../src/dialects/anthropic/wire.js";

test("what we write is what the official client takes", () => {
  expectTypeOf<wire.TextBlock>().toExtend<Anthropic.TextBlockParam>();
  expectTypeOf<wire.ThinkingBlock>().toExtend<Anthropic.ThinkingBlockParam>();
  expectTypeOf<wire.RedactedThinkingBlock>().toExtend<Anthropic.RedactedThinkingBlockParam>();
  expectTypeOf<wire.ToolUseBlock>().toExtend<Anthropic.ToolUseBlockParam>();
  expectTypeOf<wire.ToolResultBlock>().toExtend<Anthropic.ToolResultBlockParam>();
  expectTypeOf<wire.DocumentBlock>().toExtend<Anthropic.DocumentBlockParam>();
  expectTypeOf<Extract<wire.ImageSource, { type: "url" }>>().toExtend<Anthropic.URLImageSource>();
  expectTypeOf<keyof Extract<wire.ImageSource, { type: "base64" }>>().toEqualTypeOf<
    keyof Anthropic.Base64ImageSource
  >();
  expectTypeOf<Omit<wire.Tool, "input_schema">>().toExtend<Omit<Anthropic.Tool, "input_schema">>();
});

test("what we answer is what the official client reads", () => {
  expectTypeOf<wire.Head>().toExtend<Pick<Anthropic.Message, keyof wire.Head>>();
  expectTypeOf<wire.Usage>().toExtend<Pick<Anthropic.Usage, keyof wire.Usage>>();
  expectTypeOf<wire.TextBlock>().toExtend<Pick<Anthropic.TextBlock, "type" | "text">>();
  expectTypeOf<wire.ThinkingBlock>().toExtend<Anthropic.ThinkingBlock>();
  expectTypeOf<wire.RedactedThinkingBlock>().toExtend<Anthropic.RedactedThinkingBlock>();
  expectTypeOf<wire.ToolUseBlock>().toExtend<
    Pick<Anthropic.ToolUseBlock, "type" | "id" | "name" | "input">
  >();
});
