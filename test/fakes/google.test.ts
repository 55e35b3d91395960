import { describe, expect, test } from "vitest";
import { validateRequest } from "./google.js";

const user = (...parts: unknown[]) => ({ role: "user", parts });
const model = (...parts: unknown[]) => ({ role: "model", parts });
const hi = { text: "Hi" };
const call = { functionCall: { id: "1", name: "f", args: {} } };
const result = { functionResponse: { id: "1", name: "f", response: { output: "x" } } };
const COUNT =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
const ALTERNATE = "Please ensure that multiturn requests alternate between user and model.";

describe("the fake of Gemini", () => {
  test.each<[string, object]>([
    ["a question", { contents: [user(hi)] }],
    ["a loop", { contents: [user(hi), model(call), user(result, hi)] }],
    [
      "an image beside a response",
      {
        contents: [
          user(hi),
          model(call),
          user(result, { inlineData: { mimeType: "image/png", data: "iVBORw==" } }),
        ],
      },
    ],
    [
      "a signature on an empty text",
      { contents: [user(hi), model({ text: "", thoughtSignature: "c2ln" }), user(hi)] },
    ],
  ])("takes %s", (_, body) => expect(validateRequest(body)).toBeUndefined());

  test.each<[string, unknown, string]>([
    ["no object", 7, 'Invalid JSON payload received. Unknown name "": Root element must be a message.'],
    [
      "a field it does not know",
      { contents: [user(hi)], stream: true },
      'Invalid JSON payload received. Unknown name "stream": Cannot find field.',
    ],
    ["no contents", { contents: [] }, "* GenerateContentRequest.contents: contents is not specified"],
    [
      "another role",
      { contents: [{ role: "assistant", parts: [hi] }] },
      "Please use a valid role: user, model.",
    ],
    [
      "no parts",
      { contents: [user()] },
      "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.",
    ],
    [
      "an empty text",
      { contents: [user({ text: "" })] },
      "Unable to submit request because it has an empty text parameter.",
    ],
    [
      "a part of nothing",
      { contents: [user({})] },
      "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field",
    ],
    [
      "a part of two",
      { contents: [user({ text: "a", fileData: { fileUri: "x" } })] },
      "Invalid value at 'contents[0].parts[0]' (oneof), oneof field 'data' is already set.",
    ],
    [
      "bytes that are none",
      { contents: [user({ inlineData: { mimeType: "image/png", data: "data:;base64," } })] },
      "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed",
    ],
    [
      "bytes of no type",
      { contents: [user({ inlineData: { data: "aaaa" } })] },
      "* GenerateContentRequest.contents[0].parts[0].inline_data.mime_type: must not be empty",
    ],
    [
      "a signature of another model",
      { contents: [user(hi), model({ text: "x", thoughtSignature: '{"v":1}' })] },
      "Invalid value at 'contents[1].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed",
    ],
    [
      "a model that begins",
      { contents: [model(hi)] },
      "Please ensure that the conversation begins with a user turn.",
    ],
    ["two of a kind", { contents: [user(hi), user(hi)] }, ALTERNATE],
    ["a call without a response", { contents: [user(hi), model(call), user(hi)] }, COUNT],
    ["a response without a call", { contents: [user(hi), model(hi), user(result)] }, COUNT],
    [
      "a response to nothing",
      { contents: [user(result)] },
      "Please ensure that function response turn comes immediately after a function call turn.",
    ],
    [
      "a response to another call",
      { contents: [user(hi), model(call), user({ functionResponse: { id: "2", name: "f", response: {} } })] },
      "Please ensure that function responses match the function calls of the turn before.",
    ],
    [
      "a response that is a text",
      {
        contents: [user(hi), model(call), user({ functionResponse: { id: "1", name: "f", response: "x" } })],
      },
      "Invalid value at 'contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct)",
    ],
    [
      "a keyword in an old schema",
      {
        contents: [user(hi)],
        tools: [
          {
            functionDeclarations: [
              {
                name: "f",
                parameters: {
                  type: "object",
                  properties: { a: { anyOf: [{ type: "string", const: "x" }] } },
                },
              },
            ],
          },
        ],
      },
      `Invalid JSON payload received. Unknown name "const" at 'tools[0].function_declarations[0].parameters.properties[a].any_of[0]': Cannot find field.`,
    ],
    [
      "a list of numbers to choose from",
      {
        contents: [user(hi)],
        tools: [{ functionDeclarations: [{ name: "f", parameters: { type: "integer", enum: ["1"] } }] }],
      },
      "* tools[0].function_declarations[0].parameters.enum: only allowed for STRING type",
    ],
    [
      "a function with a strange name",
      { contents: [user(hi)], tools: [{ functionDeclarations: [{ name: "a b" }] }] },
      "* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name.",
    ],
  ])("refuses %s", (_, body, message) => expect(validateRequest(body)).toBe(message));

  test("knows what generations of models want", () => {
    const loop = { contents: [user(hi), model(call), user(result)] };
    expect(validateRequest(loop, "gemini-2.5-pro")).toBeUndefined();
    expect(validateRequest(loop, "gemini-3-pro-preview")).toBe(
      "Function call is missing a thought_signature in functionCall parts.",
    );
    const level = { contents: [user(hi)], generationConfig: { thinkingConfig: { thinkingLevel: "LOW" } } };
    expect(validateRequest(level, "gemini-2.5-flash")).toBe(
      "Thinking level is not supported for this model.",
    );
    expect(validateRequest(level, "gemini-3-flash-preview")).toBeUndefined();
  });
});
