import { catalogue } from "../../providers/catalogue-data.js";
import { MAIN } from "../../runtime/agents.js";
import type { Methods } from "./context.js";

export const listMethods: Methods<"models" | "agents" | "tools" | "channels"> = {
  async "models.list"() {
    const models = Object.entries(catalogue).map(([id, card]) => {
      const { contextWindow, maxOutput, input, thinking } = card;
      return {
        id,
        ...(contextWindow === undefined ? {} : { contextWindow }),
        ...(maxOutput === undefined ? {} : { maxOutput }),
        input: [...input],
        thinking,
      };
    });
    return { models };
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
