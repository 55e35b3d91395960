import { expect, test } from "vitest";
import {
  accountsOf,
  identitiesOf,
  secretVariable,
  settingsWithSecret,
  unmatchedIdentities,
} from "./accounts.js";
import { loadChannel } from "./registry.js";

test("every account, in the order of the platforms", () => {
  expect(
    accountsOf({
      webhook: { crm: { secret: "s", url: "https://crm.example" } },
      telegram: { default: { token: "1:a", allow: ["7"] }, "my-bot": {} },
      whatsapp: { default: {} },
    }),
  ).toEqual([
    { channel: "telegram", account: "default", settings: { token: "1:a", allow: ["7"] } },
    { channel: "telegram", account: "my-bot", settings: {} },
    { channel: "whatsapp", account: "default", settings: {} },
    { channel: "webhook", account: "crm", settings: { secret: "s", url: "https://crm.example" } },
  ]);
  expect(accountsOf(undefined)).toEqual([]);
});

test("a secret of the environment comes first; an empty one is none", async () => {
  const channels = {
    telegram: { default: { token: "1:file" }, "my-bot": { token: "2:file" } },
    discord: { default: { token: "file" } },
    whatsapp: { default: {} },
    webhook: { crm: {} },
  };
  const env = {
    DRAGOMAN_TELEGRAM_TOKEN: "1:env\n",
    DRAGOMAN_TELEGRAM_TOKEN_MY_BOT: "2:env",
    DRAGOMAN_DISCORD_TOKEN: " ",
    DRAGOMAN_WHATSAPP_TOKEN: "of no use",
    DRAGOMAN_WEBHOOK_SECRET: "not for crm",
    DRAGOMAN_WEBHOOK_SECRET_CRM: "s",
  };
  const settings = accountsOf(channels).map(async (account) =>
    settingsWithSecret(account, await loadChannel(account.channel), env),
  );
  expect(await Promise.all(settings)).toEqual([
    { token: "1:env" },
    { token: "2:env" },
    { token: "file" },
    {},
    { secret: "s" },
  ]);
});

test("the names of the variables", () => {
  expect([
    secretVariable({ channel: "telegram", account: "default" }, "token"),
    secretVariable({ channel: "discord", account: "work.2" }, "token"),
    secretVariable({ channel: "webhook", account: "crm" }, "secret"),
  ]).toEqual(["DRAGOMAN_TELEGRAM_TOKEN", "DRAGOMAN_DISCORD_TOKEN_WORK_2", "DRAGOMAN_WEBHOOK_SECRET_CRM"]);
});

test("an identity is of one account; without a name it is the default one's", () => {
  const identities = {
    ann: ["webhook/hr:ann", "telegram:7"],
    bob: ["webhook:ann"],
    eve: ["webhook/forum:a:b"],
  };
  const of = (channel: "webhook" | "telegram", account: string) =>
    identitiesOf(identities, { channel, account });
  expect(of("webhook", "hr")).toEqual({ ann: ["webhook:ann"] });
  expect(of("webhook", "forum")).toEqual({ eve: ["webhook:a:b"] });
  expect(of("webhook", "default")).toEqual({ bob: ["webhook:ann"] });
  expect(of("telegram", "default")).toEqual({ ann: ["telegram:7"] });
  expect(of("telegram", "work")).toEqual({});
  const accounts = [{ channel: "webhook", account: "hr" }] as const;
  expect(unmatchedIdentities(identities, accounts)).toEqual([
    "telegram:7",
    "webhook:ann",
    "webhook/forum:a:b",
  ]);
});
