import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import { detect } from "../../../src/convert/detect.js";
import { jsonOf } from "../../conformance/dialect-laws.js";
import { corpus } from "../../support/corpus.js";

const folder = corpus("agents/chatgpt/polylogue");
const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".json"));

describe.skipIf(folder === undefined)("conversations made after real ChatGPT exports", () => {
  const read = (file: string) => readFileSync(join(folder ?? "", file), "utf8");

  test("there are some", () => expect(files.length).toBeGreaterThanOrEqual(2));

  test.each(files)("%s is recognised and comes back as it was", async (file) => {
    expect((await detect(read(file)))[0]).toEqual({ dialect: "chatgpt", confidence: 0.95 });
    const { output, losses } = await convert(read(file), { from: "chatgpt", to: "chatgpt" });
    expect(jsonOf(output)).toEqual(jsonOf(read(file)));
    expect(losses).toEqual([]);
  });

  test("the active branch has the call and its result", async () => {
    const { output } = await convert(read("native-conversation-v1.json"), {
      from: "chatgpt",
      to: "anthropic",
    });
    const roles = JSON.parse(output).messages.map(({ role }: { role: string }) => role);
    expect(roles).toEqual(["user", "assistant", "assistant", "user", "assistant"]);
    expect(output).toContain('"name": "browser.search"');
    expect(output).not.toContain("Superseded answer.");
  });
});
