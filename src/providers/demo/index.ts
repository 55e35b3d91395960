import { DragomanError } from "../../core/error.js";
import type { Connector } from "../connectors.js";
import { echo } from "./echo.js";
import { embedTexts } from "./embed.js";
import { script } from "./script.js";
import { tools } from "./tools.js";

const models = { echo, tools, script };

export const demoModels: readonly string[] = Object.keys(models);

/**
 * Models that run here, without a key, and always say the same: `demo/echo` repeats, `demo/tools` calls the tools it is
 * given, `demo/script` does what it is told, also wrong things. They are for tours and tests, and pretend to nothing more.
 */
export const demo: Connector = {
  stream: ({ id }, context, options) => find(id)(context, options),
  async embed({ id }, texts, options) {
    find(id);
    return embedTexts(texts, options);
  },
};

function find(id: string): (typeof models)[keyof typeof models] {
  const model = Object.entries(models).find(([name]) => name === id)?.[1];
  if (model !== undefined) return model;
  throw new DragomanError("provider/unknown", `there is no demo model "${id}"`, {
    hint: `there are ${Object.keys(models).join(", ")}`,
  });
}
