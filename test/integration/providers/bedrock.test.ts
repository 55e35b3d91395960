import { afterEach, describe, expect, test } from "vitest";
import { connect } from "../../../src/providers/connect.js";
import { CLAUDE, message, streamOf } from "../../fakes/bedrock-answer.js";
import { type FakeAccount, fakeBedrock } from "../../fakes/bedrock-server.js";

const NOW = Date.parse("2026-03-04T05:06:07Z");
const account: FakeAccount = {
  accessKeyId: "AKIAEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  bearerToken: "bedrock-api-key-12345678",
  region: "eu-west-1",
  now: () => NOW,
};
const keys = { AWS_ACCESS_KEY_ID: account.accessKeyId, AWS_SECRET_ACCESS_KEY: account.secretAccessKey };

const bytes = streamOf(message);
const hello = { messages: [{ role: "user" as const, content: "hi", timestamp: 1 }] };
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

interface Setting {
  env?: Record<string, string>;
  files?: Record<string, string>;
  account?: Partial<FakeAccount>;
  chunkBytes?: number;
}

async function setUp({ env = {}, files = {}, account: changes = {}, chunkBytes }: Setting) {
  const server = await fakeBedrock({ ...account, ...changes }, () => ({
    bytes,
    ...(chunkBytes === undefined ? {} : { chunkBytes }),
  }));
  open.push(server);
  const urls: string[] = [];
  const world = {
    now: () => NOW,
    env: (name: string) => ({ AWS_REGION: "eu-west-1", ...env })[name],
    readFile: async (path: string) => files[path],
    fetch: (url: string, init: RequestInit) => {
      urls.push(url);
      return fetch(url, init);
    },
  };
  const model = (name = `bedrock/${CLAUDE}`, options = {}) =>
    connect(name, { baseUrl: server.url, world, maxRetries: 0, ...options });
  return { server, model, urls };
}

describe("an answer", () => {
  test("comes whole, however its frames are cut", async () => {
    for (const chunkBytes of [1, 2, 3, 7, 64, bytes.length]) {
      const { model } = await setUp({ env: keys, chunkBytes });
      const { content, usage, stopReason, api } = await model().complete(hello);
      expect({ content, stopReason, api }).toEqual({
        content: message.content,
        stopReason: "toolUse",
        api: "bedrock-converse",
      });
      expect(usage).toMatchObject({
        input: 30,
        output: 12,
        cacheRead: 1000,
        cacheWrite: 5,
        totalTokens: 1047,
      });
    }
  });

  test("whose bytes were damaged is an error with what had arrived", async () => {
    const damaged = Buffer.from(bytes);
    const at = bytes.indexOf("tooluse_1");
    damaged[at] = 0x58;
    const { model } = await setUp({});
    const fetch = async () => new Response(damaged);
    const env = (name: string) => ({ ...keys, AWS_REGION: "eu-west-1" })[name];
    const answer = await model(undefined, { world: { env, fetch } }).complete(hello);
    expect(answer).toMatchObject({
      stopReason: "error",
      errorMessage: "a message of the event stream is damaged: the checksum is wrong",
    });
  });
});

describe("credentials", () => {
  test("access keys sign the request, with the model in the path", async () => {
    const { model, server } = await setUp({ env: keys });
    await model().complete(hello);
    expect(server.calls[0]?.path).toBe(`/model/${encodeURIComponent(CLAUDE)}/converse-stream`);
    expect(server.calls[0]?.headers["authorization"]).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/20260304\/eu-west-1\/bedrock\/aws4_request, /,
    );
  });

  test("an ARN is a model as well", async () => {
    const { model, server } = await setUp({ env: keys });
    const arn = "arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc123";
    expect((await model(`bedrock/${arn}`).complete(hello)).stopReason).toBe("toolUse");
    expect(server.calls[0]?.path).toBe(`/model/${encodeURIComponent(arn)}/converse-stream`);
  });

  test("a session has a token", async () => {
    const session = { account: { sessionToken: "FwoGZXIvYXdzEXAMPLE" } };
    const { model } = await setUp({ env: { ...keys, AWS_SESSION_TOKEN: "FwoGZXIvYXdzEXAMPLE" }, ...session });
    expect((await model().complete(hello)).stopReason).toBe("toolUse");
    const without = await setUp({ env: keys, ...session });
    await expect(without.model().complete(hello)).rejects.toMatchObject({
      message: "HTTP 403: The security token included in the request is invalid.",
      details: { retryable: false },
    });
  });

  test("a wrong secret is refused, and no secret is in the error", async () => {
    const env = { ...keys, AWS_SECRET_ACCESS_KEY: "another-secret", AWS_SESSION_TOKEN: "session-token-1" };
    const { model } = await setUp({ env, account: { sessionToken: "session-token-1" } });
    await expect(model().complete(hello)).rejects.toMatchObject({
      message:
        "HTTP 403: The request signature we calculated does not match the signature you provided. The Canonical String should have been x-amz-security-token:[secret]",
    });
  });

  test.each([
    ["AWS_BEARER_TOKEN_BEDROCK", { AWS_BEARER_TOKEN_BEDROCK: "bedrock-api-key-12345678" }, {}],
    ["apiKey", {}, { apiKey: "bedrock-api-key-12345678" }],
  ])("%s is sent as it is, and nothing is signed", async (_, env, options) => {
    const { model, server } = await setUp({ env: { ...keys, ...env } });
    expect((await model(undefined, options).complete(hello)).stopReason).toBe("toolUse");
    expect(server.calls[0]?.headers).toMatchObject({ authorization: "Bearer bedrock-api-key-12345678" });
    expect(server.calls[0]?.headers).not.toHaveProperty("x-amz-date");
  });

  test("a profile of ~/.aws has keys and a region", async () => {
    const files = {
      "/home/me/.aws/credentials": `# mine
[default]
aws_access_key_id = AKIAOTHER
aws_secret_access_key = other

[work]
aws_access_key_id = ${account.accessKeyId}
aws_secret_access_key=${account.secretAccessKey}
`,
      "/home/me/.aws/config": "[profile work]\nregion = eu-west-1\ns3 =\n  region = us-east-1\n",
    };
    const env = { HOME: "/home/me", AWS_PROFILE: "work", AWS_REGION: "" };
    const { model } = await setUp({ env, files });
    expect((await model().complete(hello)).stopReason).toBe("toolUse");
  });

  test.each([
    [{ AWS_PROFILE: "nobody" }, "", 'there is no AWS profile "nobody" in ~/.aws'],
    [{}, "", "there are no AWS credentials"],
    [
      {},
      "[default]\nsso_session = x\n",
      'the AWS profile "default" uses sso_session, which is not supported',
    ],
  ])("%j with %j", async (env, config, reason) => {
    const { model } = await setUp({ env: { HOME: "/h", ...env }, files: { "/h/.aws/config": config } });
    await expect(model().complete(hello)).rejects.toMatchObject({ code: "provider/no-key", message: reason });
  });
});

describe("the region", () => {
  const refuse = async () => new Response("{}", { status: 400 });
  const urlFor = async (env: Record<string, string>, model: string) => {
    const urls: string[] = [];
    const world = {
      env: (name: string) => ({ ...keys, ...env })[name],
      readFile: async () => undefined,
      fetch: (url: string) => {
        urls.push(url);
        return refuse();
      },
    };
    await connect(model, { world })
      .complete(hello)
      .catch((error: unknown) => urls.push(String(error)));
    return urls[0];
  };

  test.each([
    [
      { AWS_REGION: "us-west-2", AWS_DEFAULT_REGION: "x" },
      "bedrock/m",
      "https://bedrock-runtime.us-west-2.amazonaws.com/model/m/converse-stream",
    ],
    [
      { AWS_DEFAULT_REGION: "us-west-1" },
      "bedrock/m",
      "https://bedrock-runtime.us-west-1.amazonaws.com/model/m/converse-stream",
    ],
    [
      {},
      "bedrock/arn:aws:bedrock:eu-north-1:1:inference-profile/x",
      "https://bedrock-runtime.eu-north-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aeu-north-1%3A1%3Ainference-profile%2Fx/converse-stream",
    ],
    [{}, "bedrock/m", "DragomanError: no AWS region is set"],
    [
      { AWS_REGION: "x/y" },
      "bedrock/m",
      'DragomanError: "x/y" cannot be the region in https://bedrock-runtime.{region}.amazonaws.com',
    ],
  ])("%j, %s", async (env, model, url) => {
    expect(await urlFor(env, model)).toBe(url);
  });
});
