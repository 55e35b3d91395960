import { dialects } from "../../convert/dialects.js";
import { defined } from "../../core/json/defined.js";
import type { Result } from "../../protocol/schema.js";
import { catalogue } from "../../providers/catalogue-data.js";
import { demoModels } from "../../providers/demo/index.js";
import { endpoints } from "../../providers/endpoints.js";
import { MAIN } from "../../runtime/agents.js";
import { programNames } from "../../runtime/continue/destination.js";
import { destinations } from "../../runtime/continue/destinations.js";
import type { PulledModels } from "../../runtime/local-models.js";
import { isReady, needsKey } from "../../runtime/model-access.js";
import type { Runtime } from "../../runtime/runtime.js";
import { listSources } from "../../runtime/sources/sources.js";
import { mayUse, usableAgents } from "../auth/permit.js";
import { offeredModels } from "../offered-models.js";
import { ownsComputer } from "../readable-sessions.js";
import { notFound } from "../refusals.js";
import { acceptedTypes } from "./accepted-types.js";
import type { Methods } from "./context.js";

type Missing = NonNullable<Result<"models.list">["models"][number]["missing"]>;

/** What a model lacks, as far as it can be named. */
async function missingFor(
  id: string,
  pulled: ReadonlyMap<string, PulledModels>,
  runtime: Runtime,
): Promise<Missing | undefined> {
  const [provider = "", ...rest] = id.split("/");
  const server = pulled.get(provider);
  if (server !== undefined) {
    const name = rest.join("/");
    if (server.names === undefined) return { what: "server", name: server.baseUrl };
    return server.names.includes(name) ? undefined : { what: "model", name };
  }
  const variable = endpoints[provider]?.keyVariables?.[0];
  if (variable === undefined || (await isReady(id, runtime, runtime.world))) return undefined;
  return { what: "key", name: variable };
}

export const listMethods: Methods<
  "models" | "agents" | "dialects" | "sources" | "programs" | "tools" | "mcp"
> = {
  async "models.list"(_, { gateway: { runtime }, permit }) {
    const offered = offeredModels(runtime, permit);
    const lists = Object.entries(runtime.config.aliases ?? {}).flatMap(([alias, target]) =>
      typeof target === "string" ? [] : [alias],
    );
    const pulled = await runtime.localModels.list(runtime.config);
    const local = [...pulled].flatMap(([provider, { names = [] }]) =>
      names.map((name) => `${provider}/${name}`),
    );
    const ids = new Set([
      ...lists,
      ...offered,
      ...(permit.scope === "admin" ? [...demoModels.keys(), ...local, ...Object.keys(catalogue)] : []),
    ]);
    const models = [...ids].map(async (id) => {
      const model = runtime.connect(id);
      const { contextWindow, maxOutput, input, thinking } = model.card;
      const missing = await missingFor(id, pulled, runtime);
      const ready = missing === undefined && (await isReady(id, runtime, runtime.world));
      const optional = defined({ contextWindow, maxOutput, missing, description: demoModels.get(id) });
      const accepts = await acceptedTypes(model);
      return {
        id,
        ...optional,
        input: [...input],
        accepts,
        thinking,
        ready,
        needsKey: needsKey(id, runtime),
      };
    });
    return { models: await Promise.all(models) };
  },

  async "agents.list"(_, { gateway, permit }) {
    const { agents } = gateway.runtime;
    return {
      agents: usableAgents(permit, agents.ids).map((id) => ({
        id,
        model: agents.modelOf(id),
        description: agents.descriptionOf(id),
      })),
    };
  },

  async "dialects.list"() {
    const all = await dialects();
    return {
      dialects: all.map(({ name, title, kind, writes, extension }) => ({
        name,
        title,
        kind,
        writes,
        extension,
      })),
    };
  },

  async "sources.list"(_, { gateway: { runtime }, permit }) {
    return { sources: ownsComputer(permit) ? listSources(runtime.config) : [] };
  },

  async "programs.list"(_, { permit }) {
    const titled = programNames.map((name) => ({ name, title: destinations[name].title }));
    return { programs: ownsComputer(permit) ? titled : [] };
  },

  async "tools.list"({ agent = MAIN }, { gateway, permit }) {
    if (!mayUse(permit, agent)) throw notFound(`there is no agent ${JSON.stringify(agent)}`);
    const tools = await gateway.runtime.toolsOf(agent);
    return {
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    };
  },

  async "mcp.status"({ agent }, { gateway, permit }) {
    if (agent !== undefined && !mayUse(permit, agent)) {
      throw notFound(`there is no agent ${JSON.stringify(agent)}`);
    }
    const servers = await gateway.runtime.mcpServers();
    const all = servers?.status(agent) ?? [];
    const isVisible = (status: (typeof all)[number]) =>
      status.agent === undefined || mayUse(permit, status.agent);
    return { servers: all.filter(isVisible).map((status) => ({ ...status, tools: [...status.tools] })) };
  },
};
