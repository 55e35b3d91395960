import { homeFolder, readConfig } from "../../runtime/config.js";
import { Runtime } from "../../runtime/runtime.js";
import { tell } from "../tell.js";

/** What every command about sessions understands. */
export const homeOption = { home: { type: "string" } } as const;

/** Does something at a home whose index is up to date. */
export async function atHome<T>(
  asked: string | undefined,
  work: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const home = homeFolder(process.env, asked);
  const runtime = new Runtime({ home, config: await readConfig(home, process.env), onNote: tell });
  try {
    await runtime.catalogue.update();
    return await work(runtime);
  } finally {
    await runtime.close();
  }
}
