import type {
  Response,
  ResponseCreateParams,
  ResponseInputContent,
  ResponseInputItem,
  ResponseOutputItem,
  Tool,
  ResponseUsage as UsageOfClient,
} from "openai/resources/responses/responses";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  arrayAt,
  type FunctionCall,
  type FunctionCallOutput,
  type FunctionTool,
  type InputMessage,
  type InputPart,
  type OutputMessage,
  objectAt,
  type Reasoning,
  type RequestHead,
  type ResponseHead,
  type ResponseUsage,
  type ShortAnswer,
  stringIn,
} from "../../../src/dialects/openai-responses/wire.js";

test("what we write is what the types of the official client allow", () => {
  expectTypeOf<RequestHead>().toExtend<Omit<ResponseCreateParams, "input" | "tools">>();
  expectTypeOf<InputPart>().toExtend<ResponseInputContent>();
  expectTypeOf<InputMessage>().toExtend<ResponseInputItem>();
  expectTypeOf<ShortAnswer>().toExtend<ResponseInputItem>();
  expectTypeOf<OutputMessage>().toExtend<ResponseInputItem & ResponseOutputItem>();
  expectTypeOf<FunctionCall>().toExtend<ResponseInputItem & ResponseOutputItem>();
  expectTypeOf<FunctionCallOutput>().toExtend<ResponseInputItem>();
  expectTypeOf<Reasoning>().toExtend<ResponseInputItem & ResponseOutputItem>();
  expectTypeOf<FunctionTool>().toExtend<Tool>();
  expectTypeOf<ResponseUsage>().toExtend<UsageOfClient>();
  // Which programs an account takes part in is for the provider alone to say.
  expectTypeOf<ResponseHead>().toExtend<Omit<Response, "output" | "output_text" | "access_programs">>();
});

describe("what is not of the shape it must have", () => {
  test.each<[() => unknown, string, string]>([
    [() => objectAt([], "/input/0"), "expected an object, found an array", "/input/0"],
    [() => arrayAt({}, "/input"), "expected an array, found an object", "/input"],
    [() => stringIn({}, "call_id", "/input/1"), 'expected a string as "call_id", found nothing', "/input/1"],
    [
      () => stringIn({ name: 7 }, "name", "/tools/0"),
      'expected a string as "name", found 7',
      "/tools/0/name",
    ],
  ])("is refused with its place", (read, message, at) => {
    expect(read).toThrow(expect.objectContaining({ code: "model/invalid", message, at }));
  });
});
