import { describe, expect, test } from "vitest";
import { checkCredentials, isReady, needsKey } from "./model-access.js";
import { ModelDirectory } from "./model-directory.js";

type Texts = Readonly<Record<string, string>>;

function worldOf(env: Texts, files: Texts = {}) {
  return {
    env: (name: string) => env[name],
    readFile: async (path: string) => files[path],
    now: () => 0,
    fetch: () => Promise.reject(new Error("nothing is sent")),
  };
}

const user = JSON.stringify({
  type: "authorized_user",
  client_id: "c",
  client_secret: "s",
  refresh_token: "r",
});
const aws = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "s" };
const profile = "[default]\naws_access_key_id = a\naws_secret_access_key = s\nregion = eu-west-1\n";

describe("a cloud's models are ready if there are credentials", () => {
  test.each<[string, Texts, Texts, boolean]>([
    ["bedrock/m", {}, {}, false],
    ["bedrock/m", { AWS_REGION: "us-east-1" }, {}, false],
    ["bedrock/m", aws, {}, false],
    ["bedrock/m", { ...aws, AWS_REGION: "us-east-1" }, {}, true],
    ["bedrock/m", { AWS_BEARER_TOKEN_BEDROCK: "t", AWS_REGION: "us-east-1" }, {}, true],
    ["bedrock/m", { HOME: "/h" }, { "/h/.aws/credentials": profile }, true],
    ["vertex/gemini-3-pro", {}, {}, false],
    ["vertex/gemini-3-pro", { GOOGLE_APPLICATION_CREDENTIALS: "/c" }, {}, false],
    ["vertex/gemini-3-pro", { GOOGLE_APPLICATION_CREDENTIALS: "/c" }, { "/c": user }, true],
    ["vertex-anthropic/claude-opus-4-6", { GOOGLE_APPLICATION_CREDENTIALS: "/c" }, { "/c": user }, true],
    ["vertex/gemini-3-pro", {}, { "/sys/class/dmi/id/bios_vendor": "Google\n" }, true],
    ["vertex/gemini-3-pro", { K_SERVICE: "s" }, {}, true],
  ])("%s with %j and %j: %s", async (model, env, files, expected) => {
    expect(await isReady(model, { config: {} }, worldOf(env, files))).toBe(expected);
  });

  test("or if a key is configured", async () => {
    const config = { providers: { vertex: { apiKey: "token" } } };
    expect(await isReady("vertex/gemini-3-pro", { config }, worldOf({}))).toBe(true);
  });
});

test.each([
  ["bedrock/m", { AWS_REGION: "us-east-1" }, "there are no AWS credentials"],
  ["bedrock/m", aws, "no AWS region is set"],
  ["vertex/m", {}, "there are no Google Cloud credentials"],
  ["groq/m", {}, "there is no API key for groq"],
])("%s with %j: %s", async (model, env, message) => {
  await expect(checkCredentials(model, { config: {} }, worldOf(env))).rejects.toMatchObject({
    code: "provider/no-key",
    message,
  });
});

test("a list has what is ready now", async () => {
  const env: Record<string, string> = {};
  const config = { gateway: { discover: false }, models: { "bedrock/m": {} } };
  const directory = new ModelDirectory(() => config, worldOf(env));
  const ready = async () => (await directory.list()).find(({ name }) => name === "bedrock/m")?.isReady;
  expect(await ready()).toBe(false);
  Object.assign(env, aws, { AWS_REGION: "us-east-1" });
  expect(await ready()).toBe(true);
});

describe("a model needs a key unless it runs on this computer", () => {
  const config = {
    providers: { near: { baseUrl: "http://127.0.0.1:9/v1" }, far: { baseUrl: "https://far.example/v1" } },
    aliases: { mixed: { models: ["ollama/a", "openai/b"] }, local: { models: ["ollama/a", "near/b"] } },
  };

  test.each([
    ["demo/echo", false],
    ["ollama/a", false],
    ["near/m", false],
    ["local", false],
    ["far/m", true],
    ["anthropic/claude-opus-4-6", true],
    // Its address is unknown without a variable.
    ["azure/m", true],
    ["mixed", true],
  ])("%s: %s", (model, expected) => {
    expect(needsKey(model, { config })).toBe(expected);
  });
});
