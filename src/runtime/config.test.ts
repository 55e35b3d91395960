import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { setIn } from "../core/json/edit.js";
import { changeConfig, homeFolder, readConfig } from "./config.js";

const home = folderForEachTest();

function write(text: string): void {
  writeFileSync(home("config.json"), text);
}

test("no configuration is a good one", async () => {
  expect(await readConfig(home("nowhere"), {})).toEqual({});
});

test("a folder or a pipe in its place is refused, and not waited for", async () => {
  mkdirSync(home("config.json"));
  await expect(readConfig(home(), {})).rejects.toMatchObject({ code: "config/invalid" });
  mkdirSync(home("other"));
  execFileSync("mkfifo", [home("other/config.json")]);
  await expect(readConfig(home("other"), {})).rejects.toMatchObject({ code: "config/invalid" });
});

test("the home is what was asked for, what the environment says, or a folder of the user's", () => {
  expect(homeFolder({ DRAGOMAN_HOME: "/a" }, "/b")).toBe("/b");
  expect(homeFolder({ DRAGOMAN_HOME: "/a" })).toBe("/a");
  expect(homeFolder({ DRAGOMAN_HOME: "" })).toMatch(/\.dragoman$/);
});

test("the environment wins", async () => {
  write('{"model":"demo/tools"}');
  expect(await readConfig(home(), { DRAGOMAN_MODEL: "demo/echo" })).toEqual({ model: "demo/echo" });
  await expect(readConfig(home(), { DRAGOMAN_MODEL: "echo" })).rejects.toMatchObject({
    code: "config/invalid",
    message: 'DRAGOMAN_MODEL is "echo", which is not a model name',
  });
});

test("an agent that is a program has no settings of our loop", async () => {
  write('{"agents":{"claude":{"acp":{"command":"claude-agent-acp"},"permissions":[]}}}');
  expect(await readConfig(home(), {})).toMatchObject({ agents: { claude: { permissions: [] } } });
  write('{"agents":{"claude":{"acp":{"command":"claude-agent-acp"},\n"model":"demo/echo"}}}');
  await expect(readConfig(home(), {})).rejects.toMatchObject({
    code: "config/invalid",
    at: "/agents/claude/model",
    line: 2,
    message: expect.stringContaining('the agent "claude" is a program, so `model` has no effect'),
  });
});

test("a model is a full name or an alias", async () => {
  const aliases = { fast: "demo/echo" };
  write(JSON.stringify({ aliases, model: "fast", agents: { a: { model: "fast" } } }));
  expect(await readConfig(home(), { DRAGOMAN_MODEL: "fast" })).toMatchObject({ model: "fast" });
  write('{\n  "agents": { "a": { "model": "slow" } }\n}\n');
  await expect(readConfig(home(), {})).rejects.toMatchObject({
    code: "config/invalid",
    message: `${home("config.json")}: "slow" is not a model`,
    at: "/agents/a/model",
    line: 2,
  });
});

describe("lists of models", () => {
  const read = (aliases: object, more: object = {}) => {
    write(JSON.stringify({ aliases, ...more }, undefined, 2));
    return readConfig(home(), {});
  };

  test("name models and other lists", async () => {
    const aliases = {
      smart: { models: ["demo/echo", { model: "mine/x", on: ["overload", "rateLimit"] }] },
      best: { models: ["smart", { model: "fast" }] },
      fast: "demo/script",
    };
    const more = { model: "best", providers: { mine: { baseUrl: "http://localhost/v1" } } };
    expect(await read(aliases, more)).toMatchObject({ model: "best", aliases });
  });

  test.each<[string, object, string, string]>([
    ["an unknown name", { a: { models: ["fast"] } }, "/aliases/a/models/0", '"fast" is not a model'],
    [
      "an unknown provider",
      { a: { models: ["demo/echo", { model: "acme/x" }] } },
      "/aliases/a/models/1/model",
      '"acme/x" is not a model',
    ],
    ["an empty model", { a: { models: ["demo/"] } }, "/aliases/a/models/0", '"demo/" is not a model'],
    [
      "an agent",
      { a: { models: ["demo/echo", "helper"] }, helper: "agent/main" },
      "/aliases/a/models/1",
      '"helper" is an agent, and a list can contain only models',
    ],
    ["itself", { a: { models: ["demo/echo", "a"] } }, "/aliases/a/models/1", 'the list "a" contains itself'],
    [
      "a list that contains it",
      { a: { models: ["b"] }, b: { models: ["demo/echo", "c"] }, c: { models: ["a"] } },
      "/aliases/a/models/0",
      'the list "a" contains itself',
    ],
    [
      "a name with a slash",
      { "x/y": { models: ["toString"] } },
      "/aliases/x~1y/models/0",
      '"toString" is not a model',
    ],
    [
      "an agent's name",
      { "agent/a": { models: ["demo/echo"] } },
      "/aliases/agent~1a",
      '"agent/a" is the name of an agent',
    ],
  ])("%s is an error with its place", async (_, aliases, at, message) => {
    await expect(read(aliases)).rejects.toMatchObject({
      code: "config/invalid",
      message: `${home("config.json")}: ${message}`,
      at,
      line: expect.any(Number),
    });
  });

  test("a list that contains itself is reported with all references", async () => {
    await expect(read({ a: { models: ["b"] }, b: { models: ["a"] } })).rejects.toMatchObject({
      hint: "remove one of these references: a → b → a",
    });
  });

  test.each<[string, object]>([
    ["no models", { models: [] }],
    ["an unknown condition", { models: [{ model: "demo/echo", on: ["sunday"] }] }],
    ["no conditions", { models: [{ model: "demo/echo", on: [] }] }],
    ["a misspelt field", { models: [{ model: "demo/echo", when: ["overload"] }] }],
  ])("%s", async (_, list) => {
    await expect(read({ a: list })).rejects.toMatchObject({ code: "config/invalid" });
  });
});

test("a misspelt field is told with its place", async () => {
  write('{\n  "model": "demo/echo",\n  "agents": { "main": { "promt": "Hi" } }\n}\n');
  await expect(readConfig(home(), {})).rejects.toMatchObject({
    code: "config/invalid",
    message: `${home("config.json")}: there is no setting "promt"`,
    at: "/agents/main/promt",
    line: 3,
    column: 34,
  });
});

test("only an API that clients speak has a default provider", async () => {
  write('{ "gateway": { "defaultProviders": { "anthropic": "acme" } } }');
  await expect(readConfig(home(), {})).resolves.toMatchObject({
    gateway: { defaultProviders: { anthropic: "acme" } },
  });
  write('{ "gateway": { "defaultProviders": { "bedrock": "acme" } } }');
  await expect(readConfig(home(), {})).rejects.toMatchObject({
    code: "config/invalid",
    at: "/gateway/defaultProviders/bedrock",
    message: `${home("config.json")}: there is no setting "bedrock"`,
  });
});

test("what is no JSON is told with its place", async () => {
  write('{\n  "model": "demo/echo",\n}\n');
  await expect(readConfig(home(), {})).rejects.toMatchObject({ code: "config/invalid", line: 3, column: 1 });
});

test("what cannot be read is no empty configuration", async () => {
  mkdirSync(home("config.json"));
  await expect(readConfig(home(), {})).rejects.toMatchObject({
    code: "config/invalid",
    message: `${home("config.json")} cannot be read`,
  });
});

test("the configuration in the guide is a good one", async () => {
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(readFileSync("docs/guide/agents.md", "utf8")) ?? [];
  write(example);
  expect(Object.keys(await readConfig(home(), {}))).toEqual(["model", "agents", "providers", "views"]);
});

test("a change is made to what is there, for its owner only", async () => {
  write('{\n  "model": "demo/tools"\n}\n');
  await changeConfig(home(), (text) => text.replace("tools", "echo"));
  expect(readFileSync(home("config.json"), "utf8")).toBe('{\n  "model": "demo/echo"\n}\n');
  expect(statSync(home("config.json")).mode & 0o777).toBe(0o600);
  await changeConfig(home("fresh"), () => '{"model":"demo/echo"}');
  expect(readFileSync(home("fresh/config.json"), "utf8")).toBe('{"model":"demo/echo"}\n');
});

test.each([
  ["{", "{}"],
  ['{"modell":"demo/echo"}', "{}"],
  ["{}", '{"modell":"demo/echo"}'],
  ["{}", "{"],
])("%s is not changed to %s", async (before, after) => {
  write(before);
  await expect(changeConfig(home(), () => after)).rejects.toMatchObject({ code: "config/invalid" });
  expect(readFileSync(home("config.json"), "utf8")).toBe(before);
  expect(readdirSync(home()).sort()).toEqual(["config.json", "locks"]);
});

test("a link stays one", async () => {
  writeFileSync(home("elsewhere.json"), "{}");
  symlinkSync("elsewhere.json", home("config.json"));
  await changeConfig(home(), () => '{"model":"demo/echo"}');
  expect(readFileSync(home("elsewhere.json"), "utf8")).toBe('{"model":"demo/echo"}\n');
  expect(lstatSync(home("config.json")).isSymbolicLink()).toBe(true);
});

test("changes at the same time are all made", async () => {
  write("{}");
  const names = ["a", "b", "c", "d"];
  await Promise.all(names.map((name) => changeConfig(home(), (text) => setIn(text, ["agents", name], {}))));
  expect(Object.keys((await readConfig(home(), {})).agents ?? {}).sort()).toEqual(names);
});
