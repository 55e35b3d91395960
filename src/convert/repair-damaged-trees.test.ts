import { expect, test } from "vitest";
import type { Provider } from "./check.js";
import { check } from "./check.js";
import { repair } from "./repair.js";

/** The output and the codes of a repair. A second one must change nothing. Without branches, no parent may be missing. */
async function repaired(lines: object[], api?: Provider): Promise<[object[], string[]]> {
  const options = { from: "claude-code", ...(api === undefined ? {} : { for: api }) } as const;
  const { output, changes, notes } = await repair(
    lines.map((line) => JSON.stringify(line)).join("\n"),
    options,
  );
  const { problems } = await check(output, options);
  const isBranched = notes.some(({ code }) => code === "repair/branches");
  expect(problems.some(({ code }) => code === "tree/missing-parent")).toBe(isBranched);
  const again = await repair(output, options);
  expect([again.changes, again.unplaced]).toEqual([[], []]);
  const written = output.split("\n").filter((line) => line !== "");
  return [written.map((line) => JSON.parse(line)), changes.map(({ code }) => code)];
}

test("a message that is linked to one whose id is in escrow gets escrow too", async () => {
  const escrow = {
    in: "claude-code",
    span: 1,
    of: ["session", "user"],
    messages: [{ from: 1, set: { "/id": "1" } }],
  };
  const [lines, codes] = await repaired([
    { type: "user", message: { content: "x" }, uuid: "a", "x-dragoman": escrow },
    { parentUuid: "gone", type: "t", uuid: "b" },
  ]);
  expect(codes).toEqual(["tree/missing-parent"]);
  expect(lines[1]).toMatchObject({
    type: "t",
    "x-dragoman": { of: ["custom"], messages: [{ from: 0, set: { "/parentId": "1" } }] },
  });
});

test("a field that is only named like an escrow does not make later lines have one", async () => {
  const [lines] = await repaired(
    [
      { type: "r", "x-dragoman": { "": "" } },
      { type: "assistant", message: { content: [{ type: "tool_use", id: "", name: "" }] }, uuid: "a" },
      { parentUuid: "a", type: "user", message: { content: "x" } },
    ],
    "openai-responses",
  );
  expect(lines.map((line) => "x-dragoman" in line)).toEqual([true, false, false, false]);
});

test("lines are read as they are without the ones that are set aside", async () => {
  const [lines] = await repaired([
    { type: "assistant", message: { id: "msg_1" } },
    { type: "assistant", message: { id: "msg_1", content: [] }, uuid: "a" },
    { type: "assistant", message: { id: "msg_1", content: [] }, uuid: "b" },
    { parentUuid: "a", type: "r", uuid: "c" },
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t" }] } },
  ]);
  expect(lines.map((line) => Reflect.get(line, "uuid"))).toEqual(["a", "b", "c"]);
});

test("an answer that loses its last line keeps its id, or that it has none", async () => {
  const [lines, codes] = await repaired(
    [
      { parentUuid: "", type: "assistant", message: { id: "msg_1", content: [] }, uuid: "6" },
      { type: "assistant", message: { id: "msg_1", content: [{ type: "text", text: "\n" }] } },
      { parentUuid: "", type: "user", message: { content: [] } },
    ],
    "anthropic",
  );
  expect(codes).toEqual(["anthropic/blank-text"]);
  expect(lines).toEqual([
    { parentUuid: "", type: "assistant", message: { id: "msg_1", content: [] } },
    { parentUuid: "", type: "user", message: { content: [] } },
  ]);
});

test("a line is named by its uuid if the last of its messages was set aside", async () => {
  const [lines] = await repaired([
    {
      type: "user",
      message: {
        content: [
          { type: "text", text: "x" },
          { type: "tool_result", tool_use_id: "t" },
        ],
      },
      uuid: "a",
    },
    { parentUuid: "a", type: "assistant", message: { content: [{ type: "text", text: "y" }] } },
  ]);
  expect(lines[1]).toMatchObject({ parentUuid: "a" });
});

test("a boundary that follows a missing line follows the one before it", async () => {
  const [lines, codes] = await repaired([
    { logicalParentUuid: "gone", type: "system", subtype: "compact_boundary", uuid: "x" },
  ]);
  expect(codes).toEqual(["tree/missing-parent"]);
  expect(lines).toEqual([{ type: "system", subtype: "compact_boundary", uuid: "x" }]);
});

test("a call in a line without an id gets one, so that its result follows it", async () => {
  const [lines, codes] = await repaired([
    { parentUuid: null, type: "user", message: { content: "x" }, uuid: "a" },
    {
      parentUuid: "a",
      type: "assistant",
      message: { content: [{ type: "tool_use", id: "c", name: "n", input: {} }] },
      uuid: 1,
    },
  ]);
  expect(codes).toEqual(["pairing/unanswered", "tree/no-id"]);
  const uuid = "28051d99-4fed-53f8-9484-94d5467da3bf";
  expect(lines.slice(1)).toMatchObject([
    { parentUuid: "a", uuid },
    { parentUuid: uuid, message: { content: [{ tool_use_id: "c" }] } },
  ]);
});

test("a result that is added between the messages of a line is on that line", async () => {
  const call = (id: string) => ({ type: "tool_use", id, name: "n", input: {} });
  const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "y" });
  const [lines] = await repaired([
    { parentUuid: null, type: "assistant", message: { content: [call("c"), call("d")] }, uuid: "a" },
    {
      parentUuid: "a",
      type: "user",
      message: { content: [result("c"), { type: "text", text: "z" }, result("e")] },
      uuid: "00000001-0000-4000-8000-000000000001",
    },
    {
      parentUuid: "00000001-0000-4000-8000-000000000001",
      type: "user",
      message: { content: "last" },
      uuid: "b",
    },
  ]);
  expect(lines.slice(1)).toMatchObject([
    {
      parentUuid: "a",
      message: { content: [{ tool_use_id: "c" }, { tool_use_id: "d" }, { type: "text", text: "z" }] },
      uuid: "00000001-0000-4000-8000-000000000001",
    },
    { parentUuid: "00000001-0000-4000-8000-000000000001", uuid: "b" },
  ]);
});

test("a call that only a sub-agent at the end answers is left to the user, with a note", async () => {
  const lines = [
    {
      parentUuid: "gone",
      type: "assistant",
      message: { content: [{ type: "tool_use", id: "c", name: "n", input: {} }] },
      uuid: "a",
    },
    {
      parentUuid: "a",
      isSidechain: true,
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "c", content: "y" }] },
      uuid: "b",
    },
  ];
  const [written, codes] = await repaired(lines);
  expect([written, codes]).toEqual([lines, []]);
});
