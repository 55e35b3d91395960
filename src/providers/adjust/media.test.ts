import { expect, test } from "vitest";
import type { Loss } from "../../core/types.js";
import { loadApi } from "../../dialects/registry.js";
import { fitOther } from "./media.js";

const data = Buffer.from("één, two").toString("base64");
const file = { type: "file" as const, data, mimeType: "text/csv", name: "list.csv" };

test.each([
  ["openai-chat", "this API accepts application/pdf, not text/csv"],
  ["ollama", "this API does not accept it"],
] as const)("%s, which accepts no text files, gets the text of one", async (api, why) => {
  const { rules } = await loadApi(api);
  const losses: Loss[] = [];
  const fitted = fitOther(file, "user", rules, "/messages/0/content/0", (loss) => losses.push(loss));
  expect(fitted).toEqual({ type: "text", text: "[file: list.csv]\néén, two" });
  expect(losses).toEqual([
    {
      at: "/messages/0/content/0",
      what: "a file",
      why: `${why}; its text is sent instead`,
      severity: "approximated",
    },
  ]);
});

test("anthropic gets the file itself", async () => {
  const { rules } = await loadApi("anthropic");
  expect(fitOther(file, "user", rules, "", () => undefined)).toEqual(file);
});
