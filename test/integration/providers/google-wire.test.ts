import type * as sdk from "@google/genai";
import { expectTypeOf, test } from "vitest";
import type * as wire from "../../../src/dialects/google/wire.js";

/** The official client names its enums; on the wire they are their values. */
type Plain<T> = T extends string
  ? `${T}`
  : T extends readonly (infer U)[]
    ? Plain<U>[]
    : T extends (...args: never) => unknown
      ? T
      : T extends object
        ? { [K in keyof T]: Plain<T[K]> }
        : T;

test("what we write is what the official client knows", () => {
  expectTypeOf<wire.Part>().toExtend<Plain<sdk.Part>>();
  expectTypeOf<wire.Content>().toExtend<Plain<sdk.Content>>();
  expectTypeOf<wire.FunctionDeclaration>()
    .omit("parameters")
    .toExtend<Plain<Omit<sdk.FunctionDeclaration, "parameters">>>();
  expectTypeOf<wire.UsageMetadata>().toExtend<Plain<sdk.GenerateContentResponseUsageMetadata>>();
  expectTypeOf<Omit<wire.Candidate, "finishReason">>().toExtend<Plain<sdk.Candidate>>();
  type Response = Omit<wire.GenerateContentResponse, "candidates">;
  expectTypeOf<Response>().toExtend<Plain<Pick<sdk.GenerateContentResponse, keyof Response>>>();
});

test("every name we write is one the official client has", () => {
  expectTypeOf<keyof wire.FunctionDeclaration>().toExtend<keyof sdk.FunctionDeclaration>();
  expectTypeOf<keyof wire.FunctionCall>().toExtend<keyof sdk.FunctionCall>();
  expectTypeOf<keyof wire.FunctionResponse>().toExtend<keyof sdk.FunctionResponse>();
  expectTypeOf<keyof wire.Inline>().toExtend<keyof sdk.Blob>();
  expectTypeOf<keyof wire.FileReference>().toExtend<keyof sdk.FileData>();
  expectTypeOf<keyof wire.UsageMetadata>().toExtend<keyof sdk.GenerateContentResponseUsageMetadata>();
  expectTypeOf<keyof wire.Candidate>().toExtend<keyof sdk.Candidate>();
  expectTypeOf<keyof wire.GenerateContentResponse>().toExtend<keyof sdk.GenerateContentResponse>();
});
