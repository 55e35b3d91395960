import { describe, expect, test } from "vitest";
import { call, repaired, result, says } from "../../test/generate/repair-lines.js";

describe("half of a character", () => {
  test("is replaced in the name of a tool, in its call and its result", async () => {
    const lines = [says(call("c1", "\\ud83d")), result("c1", "ok", "\\ud83d")];
    expect((await repaired(lines, "anthropic")).lines).toEqual([
      says(call("c1", "\ufffd")),
      result("c1", "ok", "\ufffd"),
    ]);
  });

  test("in the type of an image gives way to the type that its bytes have", async () => {
    const image = (type: string) =>
      `{"role":"user","content":[{"type":"image","data":"/9j/","mimeType":"${type}"}],"timestamp":5}`;
    const { lines, changes } = await repaired([image("\\ude00")], "anthropic");
    expect(lines).toEqual([image("image/jpeg")]);
    expect(changes).toEqual(["/0/content/0/mimeType content/mime-mismatch"]);
  });

  test.each(["openai-chat", "google"] as const)(
    "in ids is no reason to mix them up (%s)",
    async (provider) => {
      const lines = [says(call("\\ud83d"), call("\\ud83e")), result("\\ud83e"), result("\\ud83d")];
      const [first, second] = ["_-37822568", "_-3a822a21"];
      expect((await repaired(lines, provider)).lines).toEqual([
        says(call(first), call(second)),
        result(second),
        result(first),
      ]);
    },
  );
});
