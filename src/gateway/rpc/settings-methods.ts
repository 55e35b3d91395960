import { DragomanError } from "../../core/error.js";
import { defined } from "../../core/json/defined.js";
import type { Result } from "../../protocol/schema.js";
import { configPath, readConfig } from "../../runtime/config.js";
import { HIDDEN, isHidden, type SettingPath, withoutSecrets } from "../../runtime/config-values.js";
import type { SettingChange } from "../../runtime/live-config.js";
import { checkModel } from "../../runtime/model-checks.js";
import { providersOf } from "../../runtime/provider-states.js";
import { includesScope } from "../auth/scope.js";
import type { TokenEntry } from "../auth/token-store.js";
import { badRequest, refuse } from "../refusals.js";
import type { Gateway, Permit, RefusedError, Scope } from "../types.js";
import type { Methods } from "./context.js";
import { summaryNamed } from "./stored-transcript.js";

export const settingsMethods: Methods<"config" | "providers" | "tokens"> = {
  async "config.get"(_, { gateway, permit }) {
    requireOwner(permit);
    return shownSettings(gateway);
  },

  async "config.set"({ changes }, { gateway, permit }) {
    requireOwner(permit);
    const wanted = changes.map(({ path, value }) => changeOf(path, value));
    try {
      await gateway.config.change(wanted);
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== "config/invalid") throw error;
      throw invalidSetting(error, gateway.config.home);
    }
    return shownSettings(gateway);
  },

  async "providers.list"(_, { gateway: { runtime }, permit }) {
    requireOwner(permit);
    return { providers: await providersOf(runtime.config, runtime.world) };
  },

  async "providers.test"({ model }, { gateway: { runtime, now }, permit }) {
    requireOwner(permit);
    for await (const { result, ms, detail } of checkModel(runtime.connect(model), now, ["text"])) {
      return { works: result === "works", ms, detail };
    }
    throw badRequest("the model cannot be tested");
  },

  async "tokens.list"(_, { gateway: { tokens }, permit }) {
    requireOwner(permit);
    return { tokens: (await tokens.list()).map(withoutHash) };
  },

  async "tokens.create"({ name, scope, session, ...limits }, { gateway, permit }) {
    requireOwner(permit);
    const shared =
      session === undefined ? {} : { session: await sharedSession(session, scope, gateway, permit) };
    const { ids } = gateway.runtime.agents;
    const unknown = limits.agents?.find((agent) => !ids.includes(agent));
    if (unknown !== undefined) throw badRequest(`there is no agent ${JSON.stringify(unknown)}`);
    if (limits.expires !== undefined && limits.expires <= gateway.now())
      throw badRequest("the token would have expired already");
    const { secret, entry } = await gateway.tokens.create(name, scope, { ...defined(limits), ...shared });
    return { token: withoutHash(entry), secret };
  },

  async "tokens.revoke"({ id }, { gateway: { tokens }, permit }) {
    requireOwner(permit);
    return { revoked: (await tokens.revoke(id)).id };
  },
};

/** A token that may use only some agents must not be able to change that. */
function requireOwner({ scope, agents }: Permit): void {
  if (includesScope(scope, "admin") && agents === undefined) return;
  throw refuse("forbidden", "settings need a token with scope admin and without a limit on agents");
}

/** The id of a session that a token is limited to. */
async function sharedSession(
  name: string,
  scope: Scope,
  { runtime }: Gateway,
  permit: Permit,
): Promise<string> {
  if (scope !== "read") throw badRequest("a token that is limited to a session has the scope read");
  const { id, foreign } = await summaryNamed(runtime, name, permit);
  if (foreign) throw badRequest("another program's session cannot be shared; continue it here first");
  return id;
}

/** The client knows which file it is about. */
function invalidSetting({ code, message, at, hint }: DragomanError, home: string): RefusedError {
  const problem = message.replace(`${configPath(home)}: `, "");
  return refuse("invalid_request", problem, { details: { code, at, hint } });
}

async function shownSettings({ config: { home } }: Gateway): Promise<{ config: unknown; path: string }> {
  return { config: withoutSecrets(await readConfig(home, {})), path: configPath(home) };
}

function changeOf([first = "", ...more]: readonly string[], value: unknown): SettingChange {
  const path: SettingPath = [first, ...more];
  if (hasHidden(value)) {
    throw refuse("invalid_request", `${HIDDEN} stands for a secret and cannot be stored`, {
      details: { at: `/${path.join("/")}` },
    });
  }
  return value === undefined ? { path } : { path, value };
}

function hasHidden(value: unknown): boolean {
  if (isHidden(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasHidden);
}

function withoutHash({ hash: _, agents, ...token }: TokenEntry): Result<"tokens.create">["token"] {
  return { ...token, ...(agents === undefined ? {} : { agents: [...agents] }) };
}
