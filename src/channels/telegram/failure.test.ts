import { describe, expect, test } from "vitest";
import { reasonOf } from "../network-failure.js";
import { scrubber } from "../scrub.js";
import { SendError } from "../types.js";
import { sendError } from "./failure.js";

const scrub = scrubber("123:ABC", "[token]");

/** As grammY throws them. */
function refusal(error_code: number, description: string, parameters: object = {}) {
  return Object.assign(new Error(`Call to 'sendMessage' failed! (${error_code}: ${description})`), {
    error_code,
    description,
    parameters,
  });
}

function broken(code: string | undefined, message = "fetch failed") {
  const cause = code === undefined ? undefined : Object.assign(new Error(`connect ${code}`), { code });
  return Object.assign(new Error("Network request for 'sendMessage' failed!"), {
    error: new Error(message, { cause }),
  });
}

describe("the fate of what failed", () => {
  test.each<[string, unknown, string, number | undefined]>([
    ["blocked", refusal(403, "Forbidden: bot was blocked by the user"), "refused", undefined],
    ["bad", refusal(400, "Bad Request: chat not found"), "refused", undefined],
    ["too many", refusal(429, "Too Many Requests: retry after 7", { retry_after: 7 }), "later", 7000],
    ["too many, without a time", refusal(429, "Too Many Requests"), "later", 1000],
    ["a revoked token", refusal(401, "Unauthorized"), "later", undefined],
    ["a failing server", refusal(502, "Bad Gateway"), "unknown", undefined],
    ["nobody there", broken("ECONNREFUSED"), "later", undefined],
    ["no such name", broken("ENOTFOUND"), "later", undefined],
    ["a name that cannot be asked for", broken("EAI_AGAIN"), "later", undefined],
    ["no connection in time", broken("UND_ERR_CONNECT_TIMEOUT"), "later", undefined],
    ["a broken line", broken("ECONNRESET"), "unknown", undefined],
    ["a closed line", broken("UND_ERR_SOCKET"), "unknown", undefined],
    ["an answer that is no JSON", broken(undefined, "Unexpected token '<'"), "unknown", undefined],
    ["something else", "nonsense", "unknown", undefined],
  ])("%s", (_name, error, fate, afterMs) => {
    const failure = sendError(error, scrub);
    expect([failure.fate, failure.afterMs]).toEqual([fate, afterMs]);
  });

  test("one that is known already stays", () => {
    const error = new SendError("refused", "no such file");
    expect(sendError(error, scrub)).toBe(error);
  });
});

test("the token is in no message, and nothing else is carried along", () => {
  const url = "Failed to parse URL from https://x/bot123:ABC/sendMessage and bot123%3AABC";
  const failure = sendError(broken(undefined, url), scrub);
  expect([failure.message, failure.cause]).toEqual([
    "Failed to parse URL from https://x/bot[token]/sendMessage and bot[token]",
    undefined,
  ]);
  expect(sendError(refusal(400, "Bad Request: bot123:ABC"), scrub).message).toBe(
    "Telegram replied: Bad Request: bot[token]",
  );
});

test.each<[unknown, string]>([
  [broken("ECONNREFUSED"), "connect ECONNREFUSED"],
  [Object.assign(new Error("x"), { error: { code: "E1", message: "" } }), "E1"],
  [7, "7"],
])("the reason is the innermost one", (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
