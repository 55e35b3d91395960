import type { Static, TProperties, TUnsafe } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { AcpProgramSettings } from "../acp/client/settings.js";
import type { ChannelsConfig } from "../channels/settings.js";
import { LEVELS } from "../core/api/effort.js";
import type { ThinkingLevel } from "../core/api/provider.js";
import { FALLBACK_REASONS, type FallbackReason } from "../core/message/fallbacks.js";
import { named } from "../core/schema/build.js";
import { Output } from "../core/schema/output.js";
import { type ApiName, apiNames, servedApiNames } from "../dialects/registry.js";
import { McpAgentServersConfig, McpServersConfig } from "../mcp/settings.js";

const closed = { additionalProperties: false };

/** An object without unknown fields: a misspelt setting is an error, not silently ignored. */
function strict<P extends TProperties>(properties: P) {
  return Type.Object(properties, closed);
}

const optional = {
  string: Type.Optional(Type.String()),
  boolean: Type.Optional(Type.Boolean()),
};

const ProviderName = Type.String({ pattern: "^[a-z0-9][a-z0-9-]*$" });

/** Models are named `provider/model`. */
const ModelRef = Type.String({ pattern: "^[a-z0-9][a-z0-9-]*/.+$" });

/** A model, or an alias of one. */
const ModelName = Type.String({ pattern: "^\\S" });

/** Models that are asked in turn until one of them answers. */
const ModelList = strict({
  models: Type.Array(
    Type.Union([
      ModelName,
      strict({
        model: ModelName,
        /** The failures of the models before it after which it is asked (default: all). */
        on: Type.Optional(
          Type.Array(Type.Unsafe<FallbackReason>({ enum: [...FALLBACK_REASONS] }), { minItems: 1 }),
        ),
      }),
    ]),
    { minItems: 1 },
  ),
});

const Rule = strict({
  /** The name of a tool, `server/tool` for one of an MCP server; `*` stands for any characters. */
  tool: Type.String(),
  /** Matched with the call's path or command; `*` stands for any characters. */
  pattern: optional.string,
  action: Type.Unsafe<"allow" | "ask" | "deny">({ enum: ["allow", "ask", "deny"] }),
});

/** Confines `exec` to the workspace and the places listed here. Needs Linux and bubblewrap. */
const Sandbox = strict({
  /** Whether commands can use the network (default: false). */
  network: optional.boolean,
  /** Files and folders in hidden places, such as `~/.nvm`, that commands can read. */
  read: Type.Optional(Type.Array(Type.String({ pattern: "^~?/" }))),
  /** Files and folders outside the workspace that commands can change. */
  write: Type.Optional(Type.Array(Type.String({ pattern: "^~?/" }))),
});

const Agent = strict({
  /** The agent is a program that speaks the Agent Client Protocol, with its own model, prompt and tools. */
  acp: Type.Optional(AcpProgramSettings),
  /** What it is good for, worded for agents that may start it. */
  description: optional.string,
  model: Type.Optional(ModelName),
  systemPrompt: optional.string,
  /** The names of its tools; those of MCP servers as `server/tool`, with `*` for any characters (default: all). */
  tools: Type.Optional(Type.Array(Type.String())),
  /** MCP servers of this agent only. `false` turns off a server that all agents have. */
  mcpServers: Type.Optional(McpAgentServersConfig),
  /** The agents it may delegate to. */
  agents: Type.Optional(Type.Array(Type.String())),
  /** The folder its tools work in (default: its own folder under the home). */
  workspace: optional.string,
  /** The only gateway that runs it, by the URL that this one advertises (default: any gateway of the store). */
  gateway: optional.string,
  permissions: Type.Optional(Type.Array(Rule)),
  /** Confines the commands of `exec` (default: false, they can do whatever the user can). */
  sandbox: Type.Optional(Type.Union([Type.Literal(false), Sandbox])),
  maxTurns: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The longest answer, in tokens (default: the model's own limit). */
  maxTokens: Type.Optional(Type.Integer({ minimum: 1 })),
  thinking: Type.Optional(Type.Unsafe<"off" | ThinkingLevel>({ enum: ["off", ...LEVELS] })),
  /** The form of its answers: any JSON, or JSON that fits a schema (default: text). */
  output: Type.Optional(Output),
});

const Prices = strict({
  input: Type.Number({ minimum: 0 }),
  output: Type.Number({ minimum: 0 }),
  cacheRead: Type.Number({ minimum: 0 }),
  cacheWrite: Type.Number({ minimum: 0 }),
});

/** An endpoint: one of the known providers with other settings, or any server that speaks one of the APIs. */
const Provider = strict({
  baseUrl: optional.string,
  api: Type.Optional(Type.Unsafe<ApiName>({ enum: [...apiNames] })),
  apiKey: optional.string,
  headers: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))),
  flags: Type.Optional(
    strict({
      maxTokensField: Type.Optional(
        Type.Unsafe<"max_tokens" | "max_completion_tokens">({
          enum: ["max_tokens", "max_completion_tokens"],
        }),
      ),
      systemRole: Type.Optional(Type.Unsafe<"system" | "developer">({ enum: ["system", "developer"] })),
      store: optional.boolean,
      strict: optional.boolean,
      streamOptions: optional.boolean,
      topK: optional.boolean,
      systemMessages: optional.boolean,
      emptyTools: optional.boolean,
      thinkingField: Type.Optional(
        Type.Unsafe<"reasoning_content" | "reasoning" | "reasoning_text" | "content">({
          enum: ["reasoning_content", "reasoning", "reasoning_text", "content"],
        }),
      ),
      thinkTags: optional.boolean,
      callIdLength: Type.Optional(Type.Integer({ minimum: 7, maximum: 40 })),
      adaptiveThinking: optional.boolean,
      jsonSchema: optional.boolean,
      callIds: optional.boolean,
    }),
  ),
  idleMs: Type.Optional(Type.Integer({ minimum: 1 })),
  maxRetries: Type.Optional(Type.Integer({ minimum: 0 })),
  /** A larger answer is not read to its end (default: 256 MiB). */
  maxAnswerBytes: Type.Optional(Type.Integer({ minimum: 1 })),
});

const Model = strict({
  contextWindow: Type.Optional(Type.Integer({ minimum: 1 })),
  maxOutput: Type.Optional(Type.Integer({ minimum: 1 })),
  input: Type.Optional(
    Type.Array(
      Type.Unsafe<"text" | "image" | "audio" | "file">({ enum: ["text", "image", "audio", "file"] }),
    ),
  ),
  thinking: optional.boolean,
  /** Dollars per million tokens. */
  prices: Type.Optional(Prices),
});

/** Folders with the sessions of another program. */
const SessionSource = strict({
  /** The dialect of its files (default: that of the program with this name, otherwise detected). */
  dialect: optional.string,
  /** Its folders, such as `/mnt/backup/.claude/projects` (default: the program's own). */
  roots: Type.Optional(Type.Array(Type.String({ pattern: "^(~?/|[A-Za-z]:[\\\\/])" }), { minItems: 1 })),
  /** Which files are sessions: `*` is any name, `**` any folders, `{id}` the session's id. */
  files: Type.Optional(Type.String({ pattern: "^[^/\\s]" })),
});

const Count = Type.Optional(Type.Integer({ minimum: 1 }));

/** The server that `dragoman serve` starts. */
const Gateway = strict({
  /** The address to listen on. With the default, only this computer can connect. */
  host: optional.string,
  /** 0 for any free port. */
  port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  /** Origins whose web pages may use it, such as `https://app.example.com`. */
  origins: Type.Optional(Type.Array(Type.String({ pattern: "^https?://[^/\\s]+$" }))),
  /** Host names it accepts besides this computer's, such as `agents.example.com`. */
  hosts: Type.Optional(Type.Array(Type.String({ pattern: "^[^/:\\s]+$" }))),
  /** Where other gateways on the same store reach this one: `http://10.0.0.5:18800`. */
  advertise: optional.string,
  /** Addresses of proxies in front of it, whose `X-Forwarded-For` names the client. */
  proxies: Type.Optional(Type.Array(Type.String({ pattern: "^[0-9A-Fa-f.:]+$" }))),
  /** The providers of names without one, by the API of the client (default: the API's own, such as `anthropic`). */
  defaultProviders: Type.Optional(
    strict(Object.fromEntries(servedApiNames.map((name) => [name, Type.Optional(ProviderName)]))),
  ),
  /** Whether lists of models include what providers and servers on this computer list themselves (default: true). */
  discover: optional.boolean,
  /** Whether responses are stored if a request to `/v1/responses` has no `store` (default: true, as in OpenAI's API). */
  storeResponses: optional.boolean,
  limits: Type.Optional(
    strict({
      bodyBytes: Count,
      frameBytes: Count,
      unreadBytes: Count,
      connections: Count,
      requestsPerMinute: Count,
    }),
  ),
});

/** How long permission requests and the questions of MCP servers wait for an answer. */
const Questions = strict({
  /** In sessions (default: 1440, a day). */
  expireAfterMinutes: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  /** In chats of channels (default: 120). */
  channelExpireAfterMinutes: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
});

/** A home's `config.json`; the channels declare their own settings. */
export function configSchema(channels: TUnsafe<ChannelsConfig>) {
  return named(
    "Config",
    strict({
      $schema: optional.string,
      /** The default model of all agents. */
      model: Type.Optional(ModelName),
      /** By id. `main` always exists. */
      agents: Type.Optional(Type.Record(Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" }), Agent, closed)),
      providers: Type.Optional(Type.Record(ProviderName, Provider, closed)),
      models: Type.Optional(Type.Record(ModelRef, Model, closed)),
      /**
       * Other names of models and agents, such as those that clients have built in: `"gpt-4o": "groq/llama-3.3-70b-versatile"`.
       * A name can also stand for a list of models.
       */
      aliases: Type.Optional(
        Type.Record(Type.String({ pattern: "^\\S(.*\\S)?$" }), Type.Union([ModelRef, ModelList]), closed),
      ),
      /** The database that several gateways share, as `postgres://USER:PASSWORD@HOST/DATABASE` (default: the home's files). */
      store: Type.Optional(Type.String({ pattern: "^postgres(ql)?://" })),
      /** Copies of each session that are kept up to date in another program's format. */
      views: Type.Optional(
        Type.Array(Type.Unsafe<"cline" | "openclaw-turns">({ enum: ["cline", "openclaw-turns"] })),
      ),
      /** Where sessions of other programs are found, by name; `false` turns a program off. */
      sources: Type.Optional(
        Type.Record(ProviderName, Type.Union([Type.Literal(false), SessionSource]), closed),
      ),
      /** MCP servers whose tools all agents have, by name. */
      mcpServers: Type.Optional(McpServersConfig),
      questions: Type.Optional(Questions),
      gateway: Type.Optional(Gateway),
      channels: Type.Optional(channels),
    }),
  );
}
export type Config = Static<ReturnType<typeof configSchema>>;
