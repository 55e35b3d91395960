import { expect, test } from "vitest";
import { check } from "../../convert/check.js";

const session = {
  id: "ses_1",
  slug: "s",
  projectID: "global",
  directory: "/",
  title: "t",
  version: "1",
  time: { created: 1, updated: 1 },
};
const user = {
  id: "msg_1",
  sessionID: "ses_1",
  role: "user",
  time: { created: 5 },
  agent: "build",
  model: { providerID: "p", modelID: "m" },
};
const text = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", text: "Hi" };

async function codes(info: object, messages: object[]) {
  const { problems } = await check(JSON.stringify({ info, messages }), { from: "opencode" });
  return problems.map(({ at, code }) => `${at} ${code}`);
}

test("a document that opencode accepts has no problems", async () => {
  expect(await codes(session, [{ info: user, parts: [text] }])).toEqual([]);
});

test.each<[string, object, object[], string[]]>([
  ["a session with another id", { ...session, id: "abc" }, [], ["/info/id opencode/bad-field"]],
  ["a session without a slug", { ...session, slug: undefined }, [], ["/info opencode/missing-field"]],
  [
    "a prompt without a model",
    session,
    [{ info: { ...user, model: undefined }, parts: [text] }],
    ["/messages/0/info opencode/missing-field"],
  ],
  [
    "an unknown part",
    session,
    [{ info: user, parts: [{ ...text, type: "wish" }] }],
    ["/messages/0/parts/0/type opencode/unknown-part"],
  ],
  [
    "a call with an unknown status",
    session,
    [
      {
        info: user,
        parts: [{ ...text, type: "tool", callID: "c", tool: "t", state: { status: "odd", input: {} } }],
      },
    ],
    ["/messages/0/parts/0/state/status opencode/bad-status"],
  ],
])("%s", async (_, info, messages, expected) => {
  expect(await codes(info, messages)).toEqual(expected);
});
