import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
} from "@aws-sdk/client-bedrock-runtime";
import { afterEach, describe, expect, test } from "vitest";
import { bedrockApi } from "../../../src/dialects/bedrock/index.js";
import { connect } from "../../../src/providers/connect.js";
import { CLAUDE, message, streamOf } from "../../fakes/bedrock-answer.js";
import { type FakeAccount, fakeBedrock } from "../../fakes/bedrock-server.js";

const NOW = Date.parse("2026-03-04T05:06:07Z");
const account: FakeAccount = {
  accessKeyId: "AKIAEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "eu-west-1",
  now: () => NOW,
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve() {
  const server = await fakeBedrock(account, () => ({ bytes: streamOf(message) }));
  open.push(server);
  return server;
}

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
    const server = await serve();
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
    const server = await serve();
    const env: Record<string, string> = {
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: account.accessKeyId,
      AWS_SECRET_ACCESS_KEY: account.secretAccessKey,
    };
    const world = { now: () => NOW, env: (name: string) => env[name] };
    const image = Buffer.from("iVBORw0KGgo=", "base64");
    const client = clientOf(server.url);
    const schema = { type: "object", properties: { path: { type: "string" } } };
    const city = { type: "object", properties: { city: { type: "string" } }, additionalProperties: false };
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
        inferenceConfig: { maxTokens: 2148, stopSequences: ["END"] },
        toolConfig: {
          tools: [
            { toolSpec: { name: "read", description: "Reads", inputSchema: { json: schema }, strict: true } },
          ],
          toolChoice: { auto: {} },
        },
        serviceTier: { type: "flex" },
        outputConfig: {
          textFormat: {
            type: "json_schema",
            structure: { jsonSchema: { name: "city", schema: JSON.stringify(city) } },
          },
        },
        additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 2048 } },
      }),
    );
    await connect(`bedrock/${CLAUDE}`, { baseUrl: server.url, world }).complete(
      {
        systemPrompt: "Be brief.",
        tools: [{ name: "read", description: "Reads", parameters: schema, strict: true }],
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
      {
        cache: false,
        maxTokens: 100,
        thinking: "low",
        stop: ["END"],
        toolChoice: "auto",
        serviceTier: "flex",
        output: { schema: city, name: "city" },
      },
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
