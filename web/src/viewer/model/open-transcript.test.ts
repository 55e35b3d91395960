import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { localJobs } from "../work/jobs.js";
import type { Entry } from "../work/load.js";
import { OpenTranscript } from "./open-transcript.js";

const clock = { now: () => 0, after: () => () => undefined };

async function open(text: string, from?: string): Promise<OpenTranscript> {
  const bytes = new TextEncoder().encode(text);
  const jobs = localJobs(bytes, async () => undefined);
  const entries: Entry[] = [];
  const head = await jobs.run("load", { from }, (batch) => entries.push(...batch));
  return new OpenTranscript({ name: "test", bytes }, { ...head, entries }, jobs, clock);
}

const line = (fields: object) =>
  `${JSON.stringify({ role: "user", content: "?", timestamp: 1768469400000, ...fields })}\n`;

const tree = [
  line({ id: "a", parentId: null, content: "Name a river." }),
  line({ id: "b", parentId: "a", content: "In Europe." }),
  line({ id: "c", parentId: "a", content: "In Africa." }),
].join("");

const text = (transcript: OpenTranscript) =>
  transcript
    .snapshot()
    .branch.messages.map((message) => ("content" in message ? message.content : message.role));

describe("an open transcript", () => {
  test("shows the branch of the last message", async () => {
    expect(text(await open(tree))).toEqual(["Name a river.", "In Africa."]);
  });

  test("walks to another branch", async () => {
    const transcript = await open(tree);
    const [, europe] = transcript.tree.segments;
    if (europe === undefined) throw new Error("there are no branches");
    transcript.showBranch(europe);
    expect(text(transcript)).toEqual(["Name a river.", "In Europe."]);
  });

  test("leads to a message on another branch", async () => {
    const transcript = await open(tree);
    transcript.goTo(1);
    expect(text(transcript)).toEqual(["Name a river.", "In Europe."]);
    expect(transcript.snapshot()).toMatchObject({
      selected: { kind: "message", index: 1 },
      jump: { index: 1 },
    });
  });

  test("shows all of the messages it leads into, also in the middle of a replay", async () => {
    const transcript = await open(tree);
    const { replay } = transcript.snapshot();
    replay.seek(1);
    transcript.goTo(2);
    expect(replay.snapshot().shown).toBe(2);
  });

  test("puts problems to their messages", async () => {
    const transcript = await open(
      `${line({})}{"role":"user"\n${line({ content: [{ type: "text", text: "" }] })}`,
    );
    await transcript.check(undefined);
    const { findings, byMessage } = transcript.snapshot().check;
    expect(findings?.counts.error).toBe(1);
    expect(findings?.problems).toMatchObject([
      { code: "json/syntax", line: 2 },
      { code: "content/blank-text", line: 3 },
    ]);
    expect([...byMessage].map(([index, problems]) => [index, problems.length])).toEqual([[1, 2]]);
  });

  test("selects what could not be read", async () => {
    const transcript = await open(`${line({})}{"role":"user"\n`);
    transcript.goToPlace({ at: "/1", line: 2 });
    expect(transcript.snapshot()).toMatchObject({
      selected: { kind: "unread", index: 0 },
      jump: { index: 0 },
    });
  });

  test("says what a provider would refuse", async () => {
    const sound = { type: "audio", data: "UklGRgAAAABXQVZF", mimeType: "audio/wav" };
    const transcript = await open(
      line({ role: "toolResult", toolCallId: "x", toolName: "t", content: [sound], isError: false }),
    );
    await transcript.check("ollama");
    const codes = transcript.snapshot().check.findings?.problems.map(({ code }) => code);
    expect(codes).toContain("ollama/media-place");
  });

  test("takes the answer to the last question only", async () => {
    const transcript = await open(tree);
    const first = transcript.check("anthropic");
    const second = transcript.check("ollama");
    await Promise.all([first, second]);
    expect(transcript.snapshot().check.provider).toBe("ollama");
  });
});

describe("converted", () => {
  test.each([
    "a< b<a c<a d<b",
    "a< b<gone c<b d<a e<gone",
    "a<b b<a c<b",
    "h a< x<a a<x b<a n c<x",
    "a< b<a c< d<c e<b",
    "b<a a< c<b",
  ])("of %s the branch that is shown is the one that is written", async (tree) => {
    const transcript = await open(
      tree
        .split(" ")
        .map((word) => {
          const [id = "", parent] = word.split("<");
          return line({
            id,
            content: word,
            ...(parent === undefined ? {} : { parentId: parent === "" ? null : parent }),
          });
        })
        .join(""),
    );
    await transcript.convert("clawtools", false);
    const result = transcript.snapshot().conversion?.result;
    if (result === undefined || result instanceof Error) throw new Error("it was not converted");
    const written: { content: string }[] = JSON.parse(new TextDecoder().decode(result.pieces[0]));
    expect(text(transcript)).toEqual(written.map(({ content }) => content));
  });

  test("it is the branch that is shown, with its losses", async () => {
    const transcript = await open(tree);
    transcript.goTo(1);
    await transcript.convert("clawtools", false);
    const result = transcript.snapshot().conversion?.result;
    if (result === undefined || result instanceof Error) throw new Error("it was not converted");
    const output = new TextDecoder().decode(result.pieces[0]);
    expect(JSON.parse(output)).toMatchObject([{ content: "Name a river." }, { content: "In Europe." }]);
    expect(result.groups.flatMap(({ losses }) => losses)).toContainEqual({
      at: "/2",
      what: "the user message",
      why: "it is on another branch",
      severity: "dropped",
      of: "message",
    });
  });

  test("a damaged transcript says why it cannot be", async () => {
    const transcript = await open(`${line({})}{"role":"user"\n`);
    await transcript.convert("cline", false);
    expect(transcript.snapshot().conversion?.result).toMatchObject({ code: "json/syntax", line: 2 });
  });
});

describe("what cannot be read at all", () => {
  test.each([
    ["", "convert/undetected"],
    ["Dear diary,\n", "convert/undetected"],
    ['{"role":"user","content":7}\n', "model/invalid"],
  ])("%j is refused", async (input, code) => {
    await expect(open(input)).rejects.toMatchObject({ code });
  });
});

test("every dialect's fixture opens", async () => {
  const fixtures = {
    anthropic: "tool-loop.json",
    bedrock: "tool-loop.json",
    clawtools: "tool-loop.json",
    cline: "success.json",
    google: "tool-loop.json",
    ollama: "plain.json",
    "openai-chat": "tool-loop.json",
    "openai-responses": "tool-loop.json",
    openclaw: "branches.jsonl",
    "openclaw-turns": "tool-loop.jsonl",
  };
  for (const [dialect, file] of Object.entries(fixtures)) {
    const path = new URL(`../../../../conformance/${dialect}/${file}`, import.meta.url);
    const transcript = await open(readFileSync(path, "utf8"));
    expect([transcript.loaded.dialect, transcript.snapshot().branch.messages.length > 0]).toEqual([
      dialect,
      true,
    ]);
  }
});
