import * as Type from "@sinclair/typebox";
import { count, oneOf, scope, strict, text } from "./shared.js";

const optionalText = Type.Optional(text);

/** `config.json` as an object. Secrets are replaced by `(hidden)`. */
const settings = Type.Object({
  config: Type.Unknown(),
  /** The file. */
  path: text,
});

/** A field of the configuration, by the names of the objects around it and its own. */
const settingPath = Type.Array(Type.String({ pattern: "^[\\s\\S]+$" }), { minItems: 1, maxItems: 10 });

const provider = Type.Object({
  name: text,
  /** Whether many people use it; lists can show these first. */
  common: Type.Boolean(),
  /** Where its key was found; `none` needed for servers on this computer. */
  key: oneOf(["config", "environment", "credentials", "missing", "unneeded"]),
  /** The environment variables that may contain its key. */
  variables: Type.Array(text),
  /** Whether `config.json` has settings for it. */
  configured: Type.Boolean(),
  baseUrl: optionalText,
  /** A model to test it with. */
  model: optionalText,
});

const budget = strict({ dollars: Type.Number({ exclusiveMinimum: 0 }), per: oneOf(["day", "month"]) });

const token = Type.Object({
  id: text,
  name: text,
  scope,
  created: Type.Number(),
  expires: Type.Optional(Type.Number()),
  agents: Type.Optional(Type.Array(text)),
  /** The id of the only session that it may read. */
  session: optionalText,
  budget: Type.Optional(budget),
  requestsPerMinute: Type.Optional(count),
  lastUsed: Type.Optional(Type.Number()),
});

/** The configuration, the providers and the tokens; for the owner's page of settings. */
export const settingsMethods = {
  "config.get": { params: strict({}), result: settings },
  "config.set": {
    params: strict({
      /** Made together or not at all. Without a value, the setting is removed. */
      changes: Type.Array(strict({ path: settingPath, value: Type.Optional(Type.Unknown()) }), {
        minItems: 1,
        maxItems: 100,
      }),
    }),
    result: settings,
  },
  "providers.list": { params: strict({}), result: Type.Object({ providers: Type.Array(provider) }) },
  "providers.test": {
    /** Asks a model for a short answer. */
    params: strict({ model: text }),
    result: Type.Object({ works: Type.Boolean(), ms: Type.Number(), detail: text }),
  },
  "tokens.list": { params: strict({}), result: Type.Object({ tokens: Type.Array(token) }) },
  "tokens.create": {
    params: strict({
      name: Type.String({ pattern: "^[^\\x00-\\x1f\\x7f]{1,64}$" }),
      scope,
      /** Unix milliseconds. */
      expires: Type.Optional(Type.Number()),
      agents: Type.Optional(Type.Array(text)),
      /** The id of the only session that it may read; needs the scope `read`. */
      session: optionalText,
      budget: Type.Optional(budget),
    }),
    /** The token itself is sent only here. */
    result: Type.Object({ token, secret: text }),
  },
  "tokens.revoke": { params: strict({ id: text }), result: Type.Object({ revoked: text }) },
};
