import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { notebook } from "../../test/generate/document-dialect.js";
import type { Dialect, Problem } from "../core/dialect.js";
import { loadApi } from "../dialects/registry.js";
import { check, checkStream, type Provider, providers } from "./check.js";
import { load } from "./detect.js";
import { catalogue } from "./meaning/catalogue.js";
import { refusalCodes } from "./provider-rules/catalogue.js";

const bytes = (text: string) => new TextEncoder().encode(text);

const user = '{"role":"user","content":"hi","timestamp":0}';
const call = (id: string, name = "read") =>
  `{"type":"toolCall","id":"${id}","name":"${name}","arguments":{}}`;
const usage =
  '{"input":1,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":2,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}';
const answered = (stopReason: string) =>
  `"api":"openai-completions","provider":"p","model":"m","usage":${usage},"stopReason":"${stopReason}","timestamp":0`;
const says = (...blocks: string[]) => {
  const stopReason = blocks.some((block) => block.includes('"toolCall"')) ? "toolUse" : "stop";
  return `{"role":"assistant","content":[${blocks.join(",")}],${answered(stopReason)}}`;
};
const result = (id: string, name = "read", text = "ok") =>
  `{"role":"toolResult","toolCallId":"${id}","toolName":"${name}","content":[{"type":"text","text":"${text}"}],"isError":false,"timestamp":0}`;

/** What is found in these lines: place and code of each. */
async function found(lines: string[], provider?: Provider): Promise<string[]> {
  const options = provider === undefined ? {} : { for: provider };
  const { problems } = await check(lines.join("\n"), { from: "openclaw", ...options });
  return problems.map(({ at, line, column, code }) => `${line}:${column} ${at} ${code}`);
}

const codesOf = async () =>
  Promise.all(providers.map(async (provider) => refusalCodes(await loadApi(provider))));

test("the codes are these", async () => {
  expect(Object.keys(catalogue)).toEqual([
    "pairing/unanswered",
    "pairing/orphan-result",
    "pairing/early-result",
    "pairing/late-result",
    "pairing/duplicate-result",
    "pairing/duplicate-id",
    "pairing/empty-id",
    "pairing/name-mismatch",
    "content/blank-text",
    "content/empty-message",
    "content/arguments-error",
    "content/bad-signature",
    "content/lone-surrogate",
    "content/bad-base64",
    "content/mime-mismatch",
    "time/backwards",
    "tree/duplicate-id",
    "tree/missing-parent",
    "tree/cycle",
    "session/misplaced",
    "json/inexact-number",
    "json/duplicate-key",
    "framing/several-lines",
    "framing/not-kept",
  ]);
  expect((await codesOf()).flat()).toEqual([
    "anthropic/tool-id",
    "anthropic/tool-name",
    "anthropic/blank-text",
    "anthropic/empty-message",
    "anthropic/lone-surrogate",
    "anthropic/unsigned-thinking",
    "anthropic/foreign-signature",
    "anthropic/media-place",
    "anthropic/media-type",
    "anthropic/unknown-block",
    "anthropic/system-place",
    "openai-chat/tool-id",
    "openai-chat/tool-name",
    "openai-chat/empty-message",
    "openai-chat/lone-surrogate",
    "openai-chat/media-place",
    "openai-chat/media-type",
    "openai-chat/unknown-block",
    "openai-responses/tool-id",
    "openai-responses/tool-name",
    "openai-responses/empty-message",
    "openai-responses/lone-surrogate",
    "openai-responses/foreign-signature",
    "openai-responses/media-place",
    "openai-responses/media-type",
    "openai-responses/unknown-block",
    "google/tool-name",
    "google/result-name",
    "google/blank-text",
    "google/empty-message",
    "google/lone-surrogate",
    "google/foreign-signature",
    "google/media-place",
    "google/media-type",
    "google/unknown-block",
    "google/first-message",
    "google/alternation",
    "google/system-place",
    "ollama/media-place",
    "ollama/media-type",
    "ollama/media-url",
    "ollama/unknown-block",
  ]);
});

test("the guide explains every code", async () => {
  const guide = readFileSync(new URL("../../docs/guide/check-and-repair.md", import.meta.url), "utf8");
  const reasons = (await codesOf()).flat().map((code) => code.slice(code.indexOf("/") + 1));
  const codes = [...Object.keys(catalogue), ...reasons];
  expect(codes.filter((code) => !guide.includes(`\n| \`${code}\` `))).toEqual([]);
});

describe("a problem", () => {
  test("says where, what, and what to do", async () => {
    const { dialect, problems } = await check([user, says(call("c1"))].join("\n"));
    expect(dialect).toBe("openclaw");
    expect(problems).toEqual([
      {
        at: "/1/content/0",
        line: 2,
        column: 32,
        code: "pairing/unanswered",
        message: 'the call "c1" to the tool read has no result',
        hint: "`dragoman repair` adds a result stating that none was recorded",
        severity: "error",
      },
    ]);
  });

  test("does not keep the others from being found", async () => {
    expect(await found(["{", user, "[]", '{"role":7}', '{"role":"user","content":3}', "{"])).toEqual([
      "1:2 /0 json/syntax",
      "3:1 /2 model/invalid",
      "4:9 /3/role model/invalid",
      "5:26 /4/content model/invalid",
      "6:2 /5 json/syntax",
    ]);
  });
});

test("a sound transcript has none", async () => {
  const lines = [
    user,
    says(call("c1"), call("c2")),
    result("c2"),
    result("c1"),
    says('{"type":"text","text":"ok"}'),
  ];
  expect(await found(lines)).toEqual([]);
});

describe("pairing", () => {
  test.each<[string, string[], string[]]>([
    ["orphan", [user, result("x")], ["2:1 /1 pairing/orphan-result"]],
    ["early", [result("c1"), says(call("c1"))], ["1:1 /0 pairing/early-result"]],
    ["late", [says(call("c1")), user, result("c1")], ["3:1 /2 pairing/late-result"]],
    ["twice", [says(call("c1")), result("c1"), result("c1")], ["3:1 /2 pairing/duplicate-result"]],
    [
      "a recurring id",
      [says(call("c1")), result("c1"), says(call("c1")), result("c1")],
      ["3:32 /2/content/0 pairing/duplicate-id"],
    ],
    [
      "an orphan whose id recurs with a result of its own",
      [result("c1"), user, says(call("c1")), result("c1")],
      ["1:1 /0 pairing/orphan-result"],
    ],
    [
      "empty ids",
      [says(call("")), result("")],
      ["1:32 /0/content/0 pairing/empty-id", "2:1 /1 pairing/empty-id"],
    ],
    ["an empty id where only one call is open", [says(call("c1")), result("")], ["2:1 /1 pairing/empty-id"]],
    ["another name", [says(call("c1")), result("c1", "write")], ["2:1 /1 pairing/name-mismatch"]],
    [
      "a system message between",
      [says(call("c1")), '{"role":"system","content":"x","timestamp":0}', result("c1")],
      [],
    ],
  ])("%s", async (_, lines, expected) => expect(await found(lines)).toEqual(expected));

  test("is judged on the branch that ends with the last message", async () => {
    const on = (line: string, id: string, parentId: string | null) =>
      line.replace(/}$/, `,"id":"${id}","parentId":${JSON.stringify(parentId)}}`);
    const root = on(user, "a", null);
    const abandoned = on(says(call("c1")), "b", "a");
    const last = on(says('{"type":"text","text":"ok"}'), "c", "a");
    expect(await found([root, abandoned, last])).toEqual([]);
    expect(await found([root, last, abandoned])).toEqual(["3:32 /2/content/0 pairing/unanswered"]);
  });
});

describe("content", () => {
  const png = "iVBORw0KGgo=";
  const image = (data: string, mimeType: string) =>
    `{"role":"user","content":[{"type":"image","data":"${data}","mimeType":"${mimeType}"}],"timestamp":0}`;
  const thinking = (rest: string) =>
    `{"role":"assistant","content":[{"type":"thinking","thinking":"x"${rest}}],${answered("stop").replace("openai-completions", "anthropic-messages")}}`;
  test.each<[string, string, string[]]>([
    ["blank text", says('{"type":"text","text":"\\n"}'), ["1:54 /0/content/0/text content/blank-text"]],
    ["signed blank text", says('{"type":"text","text":"","textSignature":"c2ln"}'), []],
    ["a blank string", '{"role":"user","content":" ","timestamp":0}', ["1:26 /0/content content/blank-text"]],
    ["an empty message", says(), ["1:31 /0/content content/empty-message"]],
    ["an empty turn that failed", says().replace('"stop"', '"error","errorMessage":"overloaded"'), []],
    [
      "arguments that are not the model's",
      says(`${call("c").slice(0, -1)},"argumentsError":"cut off"}`, call("d")),
      [
        "1:32 /0/content/0 pairing/unanswered",
        "1:86 /0/content/0/arguments content/arguments-error",
        "1:117 /0/content/1 pairing/unanswered",
      ],
    ],
    [
      "an empty signature",
      thinking(',"thinkingSignature":""'),
      ["1:86 /0/content/0/thinkingSignature content/bad-signature"],
    ],
    [
      "a signature that is not base64",
      thinking(',"thinkingSignature":"a b"'),
      ["1:86 /0/content/0/thinkingSignature content/bad-signature"],
    ],
    [
      "redacted without a signature",
      thinking(',"redacted":true'),
      ["1:32 /0/content/0 content/bad-signature"],
    ],
    ["a good signature", thinking(',"thinkingSignature":"c2ln"'), []],
    [
      "half of a character",
      '{"role":"user","content":"\\ud83d","timestamp":0}',
      ["1:26 /0/content content/lone-surrogate"],
    ],
    [
      "bytes that are not base64",
      image("data:image/png;base64,AAAA", "image/png"),
      ["1:50 /0/content/0/data content/bad-base64"],
    ],
    ["bytes of another type", image(png, "image/jpeg"), ["1:76 /0/content/0/mimeType content/mime-mismatch"]],
    [
      "webp",
      image("UklGRgECAwRXRUJQVlA4", "image/gif"),
      ["1:84 /0/content/0/mimeType content/mime-mismatch"],
    ],
    ["bytes of its type", image(png, "image/PNG"), []],
  ])("%s", async (_, line, expected) => expect(await found([line])).toEqual(expected));
});

test("a number that a double cannot hold, at its place", async () => {
  expect(await found([user, '{"role":"user","content":"x","n":12345678901234567890,"timestamp":0}'])).toEqual(
    ["2:34 /1 json/inexact-number"],
  );
});

test("a message that stands on several lines", async () => {
  const spread = JSON.stringify(JSON.parse(user), undefined, 2);
  expect(await found([user, spread, user])).toEqual(["2:1 /1 framing/several-lines"]);
});

test("a key that is repeated, at its place", async () => {
  expect(await found([user, '{"role":"user","content":"first","content":"b","timestamp":0}'])).toEqual([
    "2:34 /1 json/duplicate-key",
  ]);
});

test("time that runs backwards, except where it was not noted", async () => {
  const at = (timestamp: number) => `{"role":"user","content":"x","timestamp":${timestamp}}`;
  expect(await found([at(1740000000002), at(0), at(1740000000001), at(1740000000001)])).toEqual([
    "3:42 /2/timestamp time/backwards",
  ]);
});

describe("trees", () => {
  const node = (id: string, parentId: string | null) =>
    `{"role":"user","content":"x","timestamp":0,"id":"${id}","parentId":${JSON.stringify(parentId)}}`;
  test.each<[string, string[], string[]]>([
    ["an id twice", [node("a", null), node("a", "a")], ["2:49 /1/id tree/duplicate-id"]],
    ["a parent that is nowhere", [node("a", null), node("b", "x")], ["2:64 /1/parentId tree/missing-parent"]],
    ["a parent that comes later", [node("b", "a"), node("a", null)], []],
    ["a circle", [node("a", "b"), node("b", "a")], ["1:64 /0/parentId tree/cycle"]],
    [
      "a way into a circle",
      [node("a", "b"), node("b", "a"), node("c", "a")],
      ["1:64 /0/parentId tree/cycle"],
    ],
    ["itself", [node("a", "a")], ["1:64 /0/parentId tree/cycle"]],
  ])("%s", async (_, lines, expected) => expect(await found(lines)).toEqual(expected));

  test("a long way of parents that all come later", async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => node(`${index}`, `${index + 1}`));
    expect(await found([...lines, node("20000", null)])).toEqual([]);
  });
});

test("a session that begins in mid-file", async () => {
  const session = '{"role":"session","id":"s","timestamp":0}';
  expect(await found([session, user, session])).toEqual(["3:1 /2 session/misplaced"]);
});

describe("a document", () => {
  const run = async (text: string) => {
    const problems: string[] = [];
    await checkStream(
      (async function* () {
        yield bytes(text);
      })(),
      {
        from: notebook,
        onProblem: ({ at, line, column, code }) => problems.push(`${line}:${column} ${at} ${code}`),
      },
    );
    return problems;
  };
  test("has every problem at its place", async () => {
    const text =
      '{\n "messages": [\n  {"role":"user","content":" ","timestamp":0,"mood":"good"},\n  {"role":1},\n  {"role":"user","content":""},\n  null,\n  7\n ]\n}';
    expect(await run(text)).toEqual([
      "6:3 /messages/3 model/invalid",
      "7:3 /messages/4 model/invalid",
      "3:53 /messages/0/mood notebook/mood",
      "3:28 /messages/0/content content/blank-text",
      "4:11 /messages/1/role model/invalid",
      "5:28 /messages/2/content content/empty-message",
    ]);
  });
  test("that is torn has one", async () => {
    expect(await run('{"messages":[')).toEqual(["1:14  json/syntax"]);
  });
});

test("the text of a line is walked once for all that is wrong in it, so that 10,000 calls are no matter", async () => {
  const blocks = Array.from({ length: 10_000 }, (_, index) => call(`c${100_000 + index}`));
  const problems = await found([says(...blocks), user]);
  expect(problems).toHaveLength(10_000);
  // A call and its comma are 64 characters long.
  expect(problems.slice(-2)).toEqual([
    "1:639904 /0/content/9998 pairing/unanswered",
    "1:639968 /0/content/9999 pairing/unanswered",
  ]);
});

test("a stream of chunks gives what the whole gives, a line without end included", async () => {
  const text = [user, says(call("c1")), user, result("c1")].join("\n");
  const problems: string[] = [];
  const openclaw = await load("openclaw");
  await checkStream(
    (async function* () {
      for (const byte of bytes(text)) yield Uint8Array.of(byte);
    })(),
    { from: openclaw, onProblem: ({ line, code }) => problems.push(`${line} ${code}`) },
  );
  expect(problems).toEqual(["4 pairing/late-result"]);

  const endless: string[] = [];
  await checkStream(
    (async function* () {
      for (let size = 0; size < 66; size++) yield new Uint8Array(1024 * 1024).fill(0x20);
    })(),
    { from: openclaw, onProblem: ({ line, code }) => endless.push(`${line} ${code}`) },
  );
  expect(endless).toEqual(["1 framing/line-too-long"]);
});

test("frames that fold into nothing are told of, with their line", async () => {
  const frames: Dialect = {
    ...notebook,
    framing: {
      kind: "frames",
      fold: () => ({
        records: [],
        losses: [{ at: "/1/event", what: "an end", why: "nothing began", severity: "dropped", frames: [1] }],
      }),
    },
  };
  const problems: Problem[] = [];
  const source = (async function* () {
    yield bytes('{"event":"x"}\n\n{"event":"end"}\nno frame\n');
  })();
  await checkStream(source, { from: frames, onProblem: (problem) => problems.push(problem) });
  expect(problems.map(({ line, at, code, message }) => `${line} ${at} ${code} ${message}`)).toEqual([
    "4 /2 json/syntax expected the rest of null, found o",
    "3 /1/event framing/not-kept an end: nothing began",
  ]);
});
