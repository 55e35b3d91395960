import { dialects } from "../../convert/dialects.js";
import { DragomanError } from "../../core/error.js";
import { cardOf } from "../../providers/catalogue.js";
import { catalogue } from "../../providers/catalogue-data.js";
import { demoModels } from "../../providers/demo/index.js";
import { MAIN } from "../../runtime/agents.js";
import { checkAccess, modelsOf } from "../../runtime/model-access.js";
import type { Runtime } from "../../runtime/runtime.js";
import type { Methods } from "./context.js";

export const listMethods: Methods<"models" | "agents" | "dialects" | "tools" | "channels"> = {
  async "models.list"(_, { gateway: { runtime } }) {
    const demo = demoModels.map((id) => `demo/${id}`);
    const ids = new Set([...modelsOf(runtime), ...demo, ...Object.keys(catalogue)]);
    return {
      models: [...ids].map((id) => {
        const [provider = "", ...rest] = id.split("/");
        const { contextWindow, maxOutput, input, thinking } = cardOf(provider, rest.join("/"));
        return {
          id,
          ...(contextWindow === undefined ? {} : { contextWindow }),
          ...(maxOutput === undefined ? {} : { maxOutput }),
          input: [...input],
          thinking,
          ready: isReady(id, runtime),
        };
      }),
    };
  },

  async "agents.list"(_, { gateway }) {
    const { agents } = gateway.runtime;
    return {
      agents: agents.ids.map((id) => ({
        id,
        model: agents.modelOf(id),
        description: agents.descriptionOf(id),
      })),
    };
  },

  async "dialects.list"() {
    const all = await dialects();
    return { dialects: all.map(({ name, title, kind, writes }) => ({ name, title, kind, writes })) };
  },

  async "tools.list"({ agent = MAIN }, { gateway }) {
    const { tools } = await gateway.runtime.agents.setup(agent, {}, []);
    return {
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    };
  },

  async "channels.status"(_, { gateway }) {
    return { channels: [...((await gateway.channels?.status()) ?? [])] };
  },
};

function isReady(model: string, runtime: Runtime): boolean {
  try {
    checkAccess(model, runtime, process.env);
    return true;
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}
