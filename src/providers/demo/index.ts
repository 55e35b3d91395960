import { DragomanError } from "../../core/error.js";
import type { Connector } from "../connectors.js";
import { echo } from "./echo.js";
import { embedTexts } from "./embed.js";
import { script } from "./script.js";
import { tools } from "./tools.js";

const models = { echo, tools, script };

export const demoModels: readonly string[] = Object.keys(models);

/**
 * Deterministic models that run in this process without a key: `demo/echo` repeats the message, `demo/tools` calls each
 * tool, `demo/script` follows a script, including failures. They are for trying things out and for tests.
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
