import { inspect } from "node:util";
import { expect, test } from "vitest";
import { verify as discord } from "./discord/verify.js";
import { verify as telegram } from "./telegram/verify.js";

const token = "123456:AAE-very_secret";

/** Answers everything with this, and keeps what was asked. */
function answering(status: number, body: string) {
  const asked: string[] = [];
  const fetcher: typeof fetch = async (input, init) => {
    asked.push([String(input), new Headers(init?.headers).get("authorization") ?? ""].join(" ").trim());
    return new Response(body, { status });
  };
  return { fetcher, asked };
}

test("Telegram is asked who the bot is", async () => {
  const me = { ok: true, result: { id: 42, is_bot: true, first_name: "My", username: "mybot" } };
  const { fetcher, asked } = answering(200, JSON.stringify(me));
  expect(await telegram({ token, apiRoot: "http://localhost:1/" }, fetcher)).toEqual({
    id: "42",
    name: "mybot",
  });
  expect(await telegram({ token }, fetcher)).toEqual({ id: "42", name: "mybot" });
  expect(asked).toEqual([
    "http://localhost:1/bot123456:AAE-very_secret/getMe",
    "https://api.telegram.org/bot123456:AAE-very_secret/getMe",
  ]);
});

test("Discord is asked who the bot is", async () => {
  const { fetcher, asked } = answering(200, '{"id":"42","username":"mybot","bot":true}');
  expect(await discord({ token: "a.b-c.d_e" }, fetcher)).toEqual({ id: "42", name: "mybot" });
  expect(asked).toEqual(["https://discord.com/api/v10/users/@me Bot a.b-c.d_e"]);
});

test.each([
  [401, "{}", "channel/refused", "Telegram does not accept this token"],
  [404, "{}", "channel/refused", "Telegram does not accept this token"],
  [502, "<html>", "channel/unreachable", "Telegram replied with HTTP 502; try again later"],
  [200, "<html>", "channel/unreachable", "unexpected reply from Telegram: not JSON"],
  [200, '{"ok":true}', "channel/unreachable", "unexpected reply from Telegram: it does not name the bot"],
])("%d %s is %s", async (status, body, code, message) => {
  await expect(telegram({ token }, answering(status, body).fetcher)).rejects.toMatchObject({ code, message });
});

test.each(["", "no token", "123456", "123456:a/../b"])("%j is not even asked about", async (bad) => {
  const { fetcher, asked } = answering(200, "{}");
  await expect(telegram({ token: bad }, fetcher)).rejects.toMatchObject({ code: "channel/bad-settings" });
  expect(asked).toEqual([]);
});

test("a failure that holds the address is told without the token", async () => {
  const failing: typeof fetch = async (input) => {
    throw new TypeError("fetch failed", { cause: new Error(`cannot reach ${String(input)}`) });
  };
  const error = await telegram({ token }, failing).catch((reason) => reason);
  expect(error).toMatchObject({
    code: "channel/unreachable",
    message: "cannot reach Telegram: cannot reach https://api.telegram.org/bot[secret]/getMe",
  });
  expect(inspect(error, { depth: 10 })).not.toContain("very_secret");
});
