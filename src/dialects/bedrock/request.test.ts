import { describe, expect, test } from "vitest";
import type { Call, CallOptions, Context } from "../../core/api/provider.js";
import type { AgentMessage, AssistantMessage, Loss, UserContent } from "../../core/types.js";
import { request } from "./request.js";

const CLAUDE = "anthropic.claude-sonnet-4-5-20250929-v1:0";

const user = (content: string | UserContent[]): AgentMessage => ({ role: "user", content, timestamp: 1 });
const answer = (...content: AssistantMessage["content"]): AgentMessage => ({
  role: "assistant",
  content,
  api: "bedrock-converse",
  provider: "bedrock",
  model: CLAUDE,
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: 1,
});
const called: AgentMessage[] = [
  user("Go"),
  answer({ type: "toolCall", id: "c1", name: "read", arguments: {} }),
  {
    role: "toolResult",
    toolCallId: "c1",
    toolName: "read",
    content: [{ type: "text", text: "ok" }],
    isError: false,
    timestamp: 1,
  },
];
const read = { name: "read", description: "Reads", parameters: { type: "object" } };
const spec = { toolSpec: { name: "read", description: "Reads", inputSchema: { json: { type: "object" } } } };

function written(context: Partial<Context>, options: CallOptions = {}, model = CLAUDE) {
  const losses: Loss[] = [];
  const call: Call = {
    model,
    stream: true,
    context: { messages: [user("Hi")], ...context },
    options: { cache: false, ...options },
  };
  return { body: request(call, {}, (loss) => losses.push(loss)), losses };
}

describe("tools", () => {
  test("that a history calls are declared, and the ledger names them", () => {
    const { body, losses } = written({ messages: called });
    expect(body["toolConfig"]).toEqual({
      tools: [{ toolSpec: { name: "read", inputSchema: { json: { type: "object", properties: {} } } } }],
    });
    expect(losses).toEqual([
      {
        at: "/tools",
        what: "a declaration of read",
        why: "this API requires the tools that a history calls to be declared",
        severity: "synthesised",
      },
    ]);
  });

  test("need no declaration if the request has tools of the service", () => {
    const foreign = { index: 0, tool: { systemTool: { name: "nova_grounding" } } };
    const { body, losses } = written({ messages: called, tools: [] }, { form: { tools: [foreign] } });
    expect(body["toolConfig"]).toEqual({ tools: [foreign.tool] });
    expect(losses).toEqual([]);
  });

  test("are not offered to a model that must call none", () => {
    expect(written({ tools: [read] }, { toolChoice: "none" })).toEqual({
      body: { messages: [{ role: "user", content: [{ text: "Hi" }] }] },
      losses: [],
    });
  });

  test("are offered all the same if the history has calls, which is a loss", () => {
    const { body, losses } = written({ messages: called, tools: [read] }, { toolChoice: "none" });
    expect(body["toolConfig"]).toEqual({ tools: [spec] });
    expect(losses).toMatchObject([{ at: "/options/toolChoice", severity: "dropped" }]);
  });

  test("have a schema of an object", () => {
    const { body } = written(
      { tools: [{ name: "now", description: "", parameters: {} }] },
      { toolChoice: { name: "now" } },
    );
    expect(body["toolConfig"]).toEqual({
      tools: [{ toolSpec: { name: "now", inputSchema: { json: { type: "object" } } } }],
      toolChoice: { tool: { name: "now" } },
    });
  });
});

describe("cache points", () => {
  const mark = { cachePoint: { type: "default" } };
  const context = { systemPrompt: "Be brief.", tools: [read] };

  test("follow the prompt, the tools and the last question for Claude", () => {
    expect(written(context, { cache: true }).body).toEqual({
      messages: [{ role: "user", content: [{ text: "Hi" }, mark] }],
      system: [{ text: "Be brief." }, mark],
      toolConfig: { tools: [spec, mark] },
    });
  });

  test("are not among the tools for Nova, and nowhere for others", () => {
    expect(written(context, { cache: true }, "amazon.nova-pro-v1:0").body).toMatchObject({
      system: [{ text: "Be brief." }, mark],
      toolConfig: { tools: [spec] },
    });
    for (const model of ["meta.llama3-70b-instruct-v1:0", "anthropic.claude-3-haiku-20240307-v1:0"]) {
      expect(JSON.stringify(written(context, { cache: true }, model).body)).not.toContain("cachePoint");
    }
  });

  test("of the caller are left alone", () => {
    const own: UserContent = { type: "opaque", dialect: "bedrock", value: mark };
    const messages = [
      user([{ type: "text", text: "Long" }, own]),
      answer({ type: "text", text: "Yes" }),
      user("Hi"),
    ];
    const { body } = written({ ...context, messages }, { cache: true });
    expect(JSON.stringify(body).match(/cachePoint/g)).toHaveLength(1);
  });
});

describe("messages", () => {
  test("of one role become one, in their order", () => {
    const { body } = written({ messages: [...called, user("And?"), user("Now.")], tools: [read] });
    expect(body["messages"]).toEqual([
      { role: "user", content: [{ text: "Go" }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "c1", name: "read", input: {} } }] },
      {
        role: "user",
        content: [
          { toolResult: { toolUseId: "c1", content: [{ text: "ok" }] } },
          { text: "And?" },
          { text: "Now." },
        ],
      },
    ]);
  });

  test("with documents have text, and names that are allowed and different", () => {
    const pdf = (name?: string): UserContent => ({
      type: "file",
      data: "JVBERi0=",
      mimeType: "application/pdf",
      ...(name === undefined ? {} : { name }),
    });
    const { body, losses } = written({ messages: [user([pdf("Q3  report_1.pdf"), pdf(), pdf()])] });
    const document = (name: string) => ({ document: { format: "pdf", name, source: { bytes: "JVBERi0=" } } });
    expect(body["messages"]).toEqual([
      {
        role: "user",
        content: [
          document("Q3 report-1-pdf"),
          document("document"),
          document("document (2)"),
          { text: "(see the document)" },
        ],
      },
    ]);
    expect(losses.map(({ at, what, severity }) => [at, what, severity])).toEqual([
      ["/messages/0/content/0/name", 'the file name "Q3  report_1.pdf"', "approximated"],
      ["/messages", 'the document name "document"', "approximated"],
      ["/messages", 'the text "(see the document)"', "synthesised"],
    ]);
  });

  test("that hold what the API does not accept lose it, and the ledger names it", () => {
    const sound: UserContent = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
    const { body, losses } = written({
      messages: [user([sound]), user([{ type: "text", text: "Hi" }, sound])],
    });
    expect(body["messages"]).toEqual([{ role: "user", content: [{ text: "Hi" }] }]);
    expect(losses.map(({ at, severity }) => [at, severity])).toEqual([
      ["/messages/0/content/0", "dropped"],
      ["/messages/0", "dropped"],
      ["/messages/1/content/1", "dropped"],
    ]);
  });
});

test("a block keeps what is beside a result in it", () => {
  const value = { toolResult: { toolUseId: "a", content: [{ text: "x" }] }, later: 1 };
  const message = user([{ type: "opaque", dialect: "bedrock", value }]);
  expect(written({ messages: [message] }).body["messages"]).toEqual([{ role: "user", content: [value] }]);
});
