import { expect, test } from "vitest";
import { originOf } from "./origin.js";

const titles = new Map([
  ["telegram", "Telegram"],
  ["whatsapp", "WhatsApp"],
  ["claude-code", "Claude Code"],
]);
const titleOf = (name: string) => titles.get(name) ?? name;

test.each([
  [
    { key: "agent:main:telegram:dm:42" },
    { name: "telegram", title: "Telegram", isChannel: true, peer: "42" },
  ],
  [
    { key: "agent:work:whatsapp:group:1203%40g.us" },
    { name: "whatsapp", title: "WhatsApp", isChannel: true, peer: "group 1203@g.us" },
  ],
  [
    { key: "agent:main:my-bridge:dm:%E0%A4%A" },
    { name: "my-bridge", title: "my-bridge", isChannel: true, peer: "%E0%A4%A" },
  ],
  [{ source: "claude-code" }, { name: "claude-code", title: "Claude Code", isChannel: false }],
])("%j", (session, origin) => {
  expect(originOf(session, titleOf)).toEqual(origin);
});

test.each([[{}], [{ key: "agent:main:main" }], [{ key: "agent:main:rpc:dm:01J" }]])(
  "%j was started in a client",
  (session) => {
    expect(originOf(session, titleOf)).toBeUndefined();
  },
);
