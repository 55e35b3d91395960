import { defined } from "../../core/json/defined.js";
import { ownName } from "../../mcp/own-name.js";
import { MAIN } from "../../runtime/agents.js";
import { isReady } from "../../runtime/model-access.js";
import { agentFilter, mayUse, usableAgents } from "../auth/permit.js";
import { offeredModels } from "../offered-models.js";
import { notFound } from "../refusals.js";
import type { Call, Methods } from "./methods.js";
import { splitModel } from "./session-row.js";

/** What clients ask for when they start. */
export const startMethods: Methods = {
  health: {
    scope: "operator.read",
    async handle(_, { gateway }) {
      return { ok: true, ts: gateway.now(), durationMs: 0 };
    },
  },

  status: {
    scope: "operator.read",
    async handle(_, { gateway: { runtime }, permit }) {
      const { sessions: count } = await runtime.catalogue.stats(agentFilter(permit));
      return { runtimeVersion: ownName().version, sessions: { count } };
    },
  },

  "agents.list": {
    scope: "operator.read",
    async handle(_, { gateway: { runtime }, permit }) {
      const ids = usableAgents(permit, runtime.agents.ids);
      return {
        defaultId: ids.includes(MAIN) ? MAIN : (ids[0] ?? MAIN),
        mainKey: "main",
        scope: "per-sender",
        agents: ids.map((id) => ({ id, name: id, model: { primary: runtime.agents.modelOf(id) } })),
      };
    },
  },

  "agent.identity.get": {
    scope: "operator.read",
    async handle(params, { gateway: { runtime }, permit }) {
      const id = params.optionalText("agentId") ?? MAIN;
      if (!runtime.agents.ids.includes(id) || !mayUse(permit, id)) {
        throw notFound(`there is no agent ${JSON.stringify(id)}`);
      }
      return { agentId: id, name: id, avatar: id.slice(0, 1).toUpperCase() };
    },
  },

  "models.list": {
    scope: "operator.read",
    async handle(_, call) {
      return { models: await models(call) };
    },
  },

  "models.authStatus": {
    scope: "operator.read",
    async handle(_, call) {
      const providers = new Set((await models(call)).map(({ provider }) => provider));
      return {
        ts: call.gateway.now(),
        providers: [...providers].map((provider) => ({
          provider,
          displayName: provider,
          status: "static",
          profiles: [],
        })),
      };
    },
  },

  "chat.metadata": {
    scope: "operator.read",
    async handle(_, call) {
      return { models: await models(call), commands: [] };
    },
  },
};

async function models({ gateway: { runtime }, permit }: Call) {
  return Promise.all(
    offeredModels(runtime, permit).map(async (name) => {
      const [provider = "", id = name] = splitModel(name);
      const { contextWindow, input, thinking } = runtime.connect(name).card;
      const available = await isReady(name, runtime, runtime.world);
      return {
        id,
        name: id,
        provider,
        ...defined({ contextWindow }),
        reasoning: thinking,
        input: [...input],
        available,
      };
    }),
  );
}
