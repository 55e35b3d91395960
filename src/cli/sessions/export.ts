import type { Arguments } from "../declaration.js";
import { transfer } from "../transfer.js";
import { atHome } from "./at-home.js";
import type { exportCommand } from "./commands.js";
import { transcriptOf } from "./contents.js";
import { findSession } from "./find.js";

export async function run({ values, words: [name] }: Arguments<typeof exportCommand>): Promise<number> {
  return atHome(values.home, async (sessions) => {
    const session = await findSession(sessions, name, values.source);
    return transfer(values, () => transcriptOf(sessions, session));
  });
}
