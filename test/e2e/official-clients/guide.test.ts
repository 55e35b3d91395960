import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { guidePrograms, projectWith } from "../../support/cli/guide-programs.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
const run = promisify(execFile);
const programs = guidePrograms("docs/guide/openai-and-others.md");
const embedding = guidePrograms("docs/guide/embeddings.md");

test("the guides have a program for each client, one for sessions and one for responses", () => {
  expect([programs.length, embedding.length]).toEqual([7, 3]);
});

test.each([...programs, ...embedding])(
  "a program of the guide prints what the guide says: $printed",
  async ({ program, printed }) => {
    const { url, chat } = gateway();
    const pointed = program.replaceAll("http://127.0.0.1:18800", url).replaceAll("TOKEN", chat);
    expect([pointed.includes(url), pointed.includes(chat)]).toEqual([true, true]);
    const cwd = projectWith("openai", "@anthropic-ai/sdk", "@google/genai", "ollama");
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", pointed], { cwd });
    expect(stdout).toBe(printed);
  },
);
