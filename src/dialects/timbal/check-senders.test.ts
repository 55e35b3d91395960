import { expect, test } from "vitest";
import { check } from "../../convert/check.js";
import type { JsonObject } from "../../core/json/value.js";
import { checkSenders } from "./check-senders.js";

const user = (sender?: string) => ({ v: { type: "user", content: "Hi", ...(sender && { sender }) } });
const agent = (sender?: string) => ({ v: { type: "agent", content: "Hi", ...(sender && { sender }) } });
const thinking = (sender?: string) => ({ v: { type: "thinking", content: "…", ...(sender && { sender }) } });
const result = { v: { type: "tool_result", toolCallId: "c", status: "success", output: "" } };

test.each<[string, JsonObject[], string[]]>([
  ["one user and one agent, without senders", [user(), agent(), user(), agent()], []],
  ["one user and one agent, with senders", [user("ann"), agent("bot"), user("ann"), agent("bot")], []],
  ["an agent whose thinking has no sender", [user(), thinking(), result, agent("bot")], []],
  ["several users", [user("ann"), user("bob"), user(), thinking(), agent()], ["/2/v", "/3/v", "/4/v"]],
  ["a user with a sender and one without", [user("ann"), user(), agent("bot")], ["/1/v"]],
  ["several agents", [user(), agent("one"), thinking("two"), result], ["/0/v"]],
  ["an agent with a sender and one without", [user("ann"), agent("one"), agent()], ["/2/v"]],
])("%s", (_, records, found) => {
  expect(checkSenders(records).map(({ at }) => at)).toEqual(found);
});

test("streams are threads of their own", () => {
  const records = [user("ann"), user("bob")].map((record, stream) => ({ s: `${stream}`, ...record }));
  expect(checkSenders([...records, { s: "2", ...user() }])).toEqual([]);
});

test("`check` names the line of each message that lacks its sender", async () => {
  const records = [user(), user("ann"), user("bob")].map(({ v }, place) => ({
    i: `01JHN5Y1J0A7Q3ZK5T9V2XW00${place}`,
    t: "2025-01-15T14:30:00.000Z",
    v,
  }));
  const source = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  expect((await check(source, { from: "timbal" })).problems).toEqual([
    {
      at: "/0/v",
      line: 1,
      column: 70,
      code: "timbal/no-sender",
      message: "the user message has no sender, in a thread with several users",
      hint: "write the author's id in sender",
      severity: "warning",
    },
  ]);
});
