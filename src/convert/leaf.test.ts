import { describe, expect, test } from "vitest";
import { convert } from "./convert.js";

const SESSION = "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31";
const id = (number: number) => `0000000${number}-0000-4000-8000-00000000000${number}`;

function line(number: number, parent: number | null, isSidechain = false): string {
  return `${JSON.stringify({
    parentUuid: parent === null ? null : id(parent),
    isSidechain,
    sessionId: SESSION,
    type: "user",
    message: { role: "user", content: `Message ${number}` },
    uuid: id(number),
    timestamp: `2026-03-02T09:00:0${number}.000Z`,
  })}\n`;
}

const chain = line(1, null) + line(2, 1);

function linesOf(output: string): { [field: string]: unknown }[] {
  return output
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text));
}

describe("the active leaf, between dialects with branches", () => {
  test("needs no note if it is the last message", async () => {
    const { output } = await convert(chain, { from: "claude-code", to: "pi" });
    expect(linesOf(output).map(({ type }) => type)).toEqual(["session", "message", "message"]);
  });

  test("is named by a last entry if a sub-agent's message is the last", async () => {
    const { output, losses } = await convert(chain + line(3, null, true), { from: "claude-code", to: "pi" });
    expect(linesOf(output).at(-1)).toEqual({
      type: "custom",
      id: `leaf-${id(2)}`,
      parentId: id(2),
      timestamp: "2026-03-02T09:00:03.000Z",
      customType: "dragoman/leaf",
      data: {},
    });
    expect(losses.map(({ what }) => what)).toEqual(["ext.pi", "timestamp"]);
    const active = await convert(output, { from: "pi", to: "clawtools" });
    expect(JSON.parse(active.output)).toEqual([
      { role: "user", content: "Message 1" },
      { role: "user", content: "Message 2" },
    ]);
  });

  test("is not written back", async () => {
    const source = chain + line(3, null, true);
    for (const escrow of [true, false]) {
      const there = await convert(source, { from: "claude-code", to: "pi", escrow });
      const back = await convert(there.output, { from: "pi", to: "claude-code", escrow });
      expect(linesOf(back.output)).toEqual(linesOf(source));
    }
  });

  test("is the current message in Open WebUI, and the messages keep their order", async () => {
    const source = chain + line(3, null, true);
    const there = await convert(source, { from: "claude-code", to: "open-webui", escrow: true });
    const [{ chat }] = JSON.parse(there.output);
    expect(chat.history.currentId).toBe(id(2));
    expect(Object.keys(chat.history.messages)).toEqual([id(1), id(2), id(3)]);
    const back = await convert(there.output, { from: "open-webui", to: "claude-code", escrow: true });
    expect(linesOf(back.output)).toEqual(linesOf(source));
  });

  test("is a last-prompt line in Claude Code", async () => {
    const message = (number: number, parent: number | null) =>
      `${JSON.stringify({
        role: "user",
        content: "x",
        id: id(number),
        parentId: parent === null ? null : id(parent),
        timestamp: 1,
      })}\n`;
    const moved = `${JSON.stringify({
      role: "custom",
      customType: "dragoman/leaf",
      data: {},
      id: "n",
      parentId: id(1),
      timestamp: 1,
    })}\n`;
    const tree = message(1, null) + message(2, 1) + moved;
    const { output } = await convert(tree, { from: "openclaw", to: "claude-code" });
    const [first, second, last] = linesOf(output);
    expect([first?.["uuid"], second?.["uuid"]]).toEqual([id(1), id(2)]);
    expect(last).toEqual({ type: "last-prompt", leafUuid: id(1), sessionId: first?.["sessionId"] });
    const { losses } = await convert(output, { from: "claude-code", to: "clawtools" });
    expect(losses.filter(({ why }) => why === "it is on another branch").map(({ at }) => at)).toEqual(["/1"]);
  });
});
