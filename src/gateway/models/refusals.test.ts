import { describe, expect, test } from "vitest";
import type { HttpReply, Protocol, Refusal } from "../types.js";
import { anthropicProtocol } from "./anthropic.js";
import { refusalOf } from "./failure.js";
import { googleError } from "./google.js";
import { openaiChatProtocol } from "./openai-chat.js";
import { refuseAsOpenAi } from "./openai-errors.js";
import { lossHeader } from "./unsupported-fields.js";

const unauthorized: Refusal = { status: 401, reason: "unauthorized", message: "no such token" };
const never = async (): Promise<HttpReply> => {
  throw new Error("nobody asks");
};

describe("a token that is none", () => {
  test.each([openaiChatProtocol(never, never).http?.refuse, refuseAsOpenAi])(
    "is refused as by OpenAI",
    (refuse) => {
      expect(refuse?.(unauthorized, "r1")).toEqual({
        status: 401,
        headers: {},
        json: {
          error: {
            message: "no such token",
            type: "invalid_request_error",
            param: null,
            code: "invalid_api_key",
          },
        },
      });
    },
  );

  test("is refused as by Anthropic", () => {
    const { http } = anthropicProtocol(never);
    expect(http?.keyHeaders).toEqual(["x-api-key"]);
    expect(http?.refuse(unauthorized, "r1")).toEqual({
      status: 401,
      headers: { "request-id": "r1" },
      json: {
        type: "error",
        error: { type: "authentication_error", message: "no such token" },
        request_id: "r1",
      },
    });
  });
});

describe("what fails is told with a status", () => {
  test.each([
    ["provider/http", 429, 429, "rate_limited"],
    ["provider/http", 400, 400, "invalid_request"],
    ["provider/http", 403, 502, "server_error"],
    ["provider/http", 500, 502, "server_error"],
    ["provider/http", 529, 503, "service_unavailable"],
    ["provider/no-key", undefined, 502, "server_error"],
    ["provider/quota", 402, 429, "rate_limited"],
    ["provider/context-overflow", undefined, 400, "invalid_request"],
    ["provider/network", undefined, 502, "server_error"],
    ["stream/stalled", undefined, 504, "server_error"],
    ["log/disk-full", undefined, 503, "service_unavailable"],
    ["aborted", undefined, 409, "conflict"],
    ["tools/failed", undefined, 500, "server_error"],
  ])("%s %s is %s", (code, said, status, reason) => {
    const given = said === undefined ? {} : { status: said };
    expect(refusalOf({ code, message: "m", ...given })).toMatchObject({ status, reason });
  });

  test("and whether to try again", () => {
    expect(
      refusalOf({ code: "provider/http", message: "m", status: 429, retryAfterMs: 1200 }).headers,
    ).toEqual({
      "retry-after": "2",
    });
    expect(refusalOf({ code: "provider/quota", message: "m" }).headers).toEqual({
      "x-should-retry": "false",
    });
    expect(refusalOf({ code: "provider/no-key", message: "m" }).headers).toEqual({
      "x-should-retry": "false",
    });
  });

  test.each([
    ["provider/context-overflow", "context_length_exceeded"],
    ["provider/quota", "insufficient_quota"],
    ["provider/unknown", "model_not_found"],
  ])("and with OpenAI's code: %s", (code, expected) => {
    const { json } = refuseAsOpenAi(refusalOf({ code, message: "m" }));
    expect(json).toMatchObject({ error: { code: expected } });
  });
});

describe("the fields of a provider's error", () => {
  const reported = { type: "t", code: "c", param: "p", status: "S", details: [{ a: 1 }] };
  const failure = { code: "provider/http", message: "m", status: 400, retryable: false, reported };
  const jsonOf = ({ http }: Protocol) => http?.refuse(refusalOf(failure), "r1").json;

  test("are OpenAI's", () => {
    expect(refuseAsOpenAi(refusalOf(failure)).json).toEqual({
      error: { message: "m", type: "t", param: "p", code: "c" },
    });
  });

  test("are Anthropic's", () => {
    expect(jsonOf(anthropicProtocol(never))).toEqual({
      type: "error",
      error: { type: "t", message: "m", details: [{ a: 1 }] },
      request_id: "r1",
    });
  });

  test("are Google's", () => {
    expect(googleError(refusalOf(failure))).toEqual({
      code: 400,
      message: "m",
      status: "S",
      details: [{ a: 1 }],
    });
  });

  test.each([401, 403])("are not shown when it rejects the key: %i", (status) => {
    expect(refuseAsOpenAi(refusalOf({ ...failure, status })).json).toEqual({
      error: {
        message: "the model's provider rejected this gateway's API key",
        type: "server_error",
        param: null,
        code: null,
      },
    });
  });
});

test("Google's client reads in the details when to retry", () => {
  const limited = refusalOf({ code: "provider/http", message: "m", status: 429, retryAfterMs: 1200 });
  expect(googleError(limited)).toEqual({
    code: 429,
    message: "m",
    status: "RESOURCE_EXHAUSTED",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "2s" }],
  });
});

describe("the header of losses", () => {
  const loss = (what: string) => ({ at: "/a", what, why: "w", severity: "dropped" as const });

  test("is JSON in ASCII", () => {
    expect(lossHeader([loss("é😀")])).toEqual({
      "x-dragoman-losses": '[{"at":"/a","what":"\\u00e9\\ud83d\\ude00","why":"w","severity":"dropped"}]',
    });
    expect(lossHeader([])).toEqual({});
  });

  test("does not grow with what clients send", () => {
    const header = lossHeader([loss("first"), loss("x".repeat(10_000))])["x-dragoman-losses"];
    expect(header).toBe('[{"at":"/a","what":"first","why":"w","severity":"dropped"}]');
  });
});
