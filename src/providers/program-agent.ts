import { DragomanError } from "../core/error.js";
import type { Connector } from "./connectors.js";

/** The models of agents that are programs of their own. Only the programs can ask them. */
export const programAgent: Connector = {
  // biome-ignore lint/correctness/useYield: it never has an event
  async *stream({ id }) {
    throw new DragomanError("acp/not-ours", `only the program of the agent "${id}" can ask its model`, {
      hint: `send a message to the agent instead: agent/${id}`,
    });
  },
};
