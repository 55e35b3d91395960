import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
} from "@aws-sdk/client-bedrock-runtime";
import { afterEach, describe, expect, test } from "vitest";
import { events } from "../../../src/core/index.js";
import type { AssistantMessage } from "../../../src/core/types.js";
import { bedrockApi } from "../../../src/dialects/bedrock/index.js";
import { connect } from "../../../src/providers/connect.js";
import { type FakeAccount, fakeBedrock } from "../../fakes/bedrock-server.js";
import { wireFraming } from "../../fakes/wire-framing.js";

const NOW = Date.parse("2026-03-04T05:06:07Z");
const CLAUDE = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const account: FakeAccount = {
  accessKeyId: "AKIAEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  bearerToken: "bedrock-api-key-12345678",
  region: "eu-west-1",
  now: () => NOW,
};
const keys = { AWS_ACCESS_KEY_ID: account.accessKeyId, AWS_SECRET_ACCESS_KEY: account.secretAccessKey };

const message: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Which tool?", thinkingSignature: "c2lnbmF0dXJl" },
    { type: "thinking", thinking: "", redacted: true, thinkingSignature: "c2VjcmV0" },
    { type: "text", text: "Voilà 😀" },
    { type: "toolCall", id: "tooluse_1", name: "read", arguments: { path: "é.ts" } },
  ],
  api: "bedrock-converse",
  provider: "bedrock",
  model: CLAUDE,
  usage: {
    input: 30,
    output: 12,
    cacheRead: 1000,
    cacheWrite: 5,
    totalTokens: 1047,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "toolUse",
  timestamp: NOW,
};

function streamOf(one: AssistantMessage): Buffer {
  const writer = bedrockApi.streamWriter();
  const { frame } = wireFraming("event-stream");
  const cut = (text: string) => text.match(/.{1,4}/gsu) ?? [];
  return Buffer.concat([...events(one, cut)].flatMap((event) => writer.push(event)).map(frame));
}

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

/** The AWS client, which would use HTTP/2 by itself. */
function clientOf(endpoint: string): BedrockRuntimeClient {
  const credentials = { accessKeyId: account.accessKeyId, secretAccessKey: account.secretAccessKey };
  return new BedrockRuntimeClient({
    region: "eu-west-1",
    endpoint,
    credentials,
    systemClockOffset: NOW - Date.now(),
    requestHandler: {
      handle: async ({
        path,
        headers,
        body,
      }: {
        path: string;
        headers: Record<string, string>;
        body: string;
      }) => {
        const response = await fetch(`${endpoint}${path}`, { method: "POST", headers, body });
        return {
          response: {
            statusCode: response.status,
            headers: Object.fromEntries(response.headers),
            body: response.body,
          },
        };
      },
    },
  });
}

describe("the client of AWS", () => {
  test("reads our stream as we mean it", async () => {
    const { server } = await setUp({});
    const client = clientOf(server.url);
    const { stream } = await client.send(
      new ConverseStreamCommand({ modelId: CLAUDE, messages: [{ role: "user", content: [{ text: "hi" }] }] }),
    );
    const seen: ConverseStreamOutput[] = [];
    for await (const event of stream ?? []) seen.push(event);
    const text = seen.map(({ contentBlockDelta }) => contentBlockDelta?.delta?.text ?? "").join("");
    const thinking = seen.map(({ contentBlockDelta }) => contentBlockDelta?.delta?.reasoningContent ?? {});
    expect(text).toBe("Voilà 😀");
    expect(thinking).toContainEqual({ signature: "c2lnbmF0dXJl" });
    expect(thinking).toContainEqual({ redactedContent: new Uint8Array(Buffer.from("secret")) });
    expect(seen.flatMap(({ contentBlockStart }) => contentBlockStart ?? [])).toEqual([
      { start: { toolUse: { toolUseId: "tooluse_1", name: "read" } }, contentBlockIndex: 3 },
    ]);
    const input = seen
      .map(({ contentBlockDelta }) => contentBlockDelta?.delta?.toolUse?.input ?? "")
      .join("");
    expect(JSON.parse(input)).toEqual({ path: "é.ts" });
    expect(seen.at(-2)).toEqual({ messageStop: { stopReason: "tool_use" } });
    expect(seen.at(-1)).toEqual({
      metadata: {
        usage: {
          inputTokens: 30,
          outputTokens: 12,
          totalTokens: 1047,
          cacheReadInputTokens: 1000,
          cacheWriteInputTokens: 5,
        },
      },
    });
  });

  test("sends the same body as we do for the same conversation", async () => {
    const { server, model } = await setUp({ env: keys });
    const image = Buffer.from("iVBORw0KGgo=", "base64");
    const client = clientOf(server.url);
    const schema = { type: "object", properties: { path: { type: "string" } } };
    await client.send(
      new ConverseStreamCommand({
        modelId: CLAUDE,
        system: [{ text: "Be brief." }],
        messages: [
          {
            role: "user",
            content: [{ text: "Look" }, { image: { format: "png", source: { bytes: image } } }],
          },
          {
            role: "assistant",
            content: [
              { reasoningContent: { reasoningText: { text: "Which tool?", signature: "c2lnbmF0dXJl" } } },
              { reasoningContent: { redactedContent: Buffer.from("secret") } },
              { text: "Voilà 😀" },
              { toolUse: { toolUseId: "tooluse_1", name: "read", input: { path: "é.ts" } } },
            ],
          },
          {
            role: "user",
            content: [
              { toolResult: { toolUseId: "tooluse_1", content: [{ text: "no" }], status: "error" } },
              { text: "Go on." },
            ],
          },
        ],
        inferenceConfig: { maxTokens: 2148 },
        toolConfig: {
          tools: [{ toolSpec: { name: "read", description: "Reads", inputSchema: { json: schema } } }],
        },
        additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 2048 } },
      }),
    );
    await model().complete(
      {
        systemPrompt: "Be brief.",
        tools: [{ name: "read", description: "Reads", parameters: schema }],
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "Look" },
              { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
            ],
            timestamp: 1,
          },
          message,
          {
            role: "toolResult",
            toolCallId: "tooluse_1",
            toolName: "read",
            content: [{ type: "text", text: "no" }],
            isError: true,
            timestamp: 2,
          },
          { role: "user", content: "Go on.", timestamp: 3 },
        ],
      },
      { cache: false, maxTokens: 100, thinking: "low" },
    );
    const [theirs, ours] = server.calls;
    expect(ours?.body).toEqual(theirs?.body);
    expect(ours?.path).toBe(theirs?.path);
  });

  test("reads our responses", async () => {
    const body = bedrockApi.response(message);
    const client = new BedrockRuntimeClient({
      region: "eu-west-1",
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
      requestHandler: {
        handle: async () => ({
          response: {
            statusCode: 200,
            headers: { "content-type": "application/json" },
            body: new Blob([JSON.stringify(body)]).stream(),
          },
        }),
      },
    });
    const { output, stopReason, usage } = await client.send(
      new ConverseCommand({ modelId: CLAUDE, messages: [{ role: "user", content: [{ text: "hi" }] }] }),
    );
    expect(stopReason).toBe("tool_use");
    expect(usage).toMatchObject({ inputTokens: 30, cacheReadInputTokens: 1000 });
    expect(output?.message?.content?.map((block) => Object.keys(block)[0])).toEqual([
      "reasoningContent",
      "reasoningContent",
      "text",
      "toolUse",
    ]);
  });
});
