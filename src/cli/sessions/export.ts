import { parseArguments } from "../arguments.js";
import { transfer, transferOptions } from "../transfer.js";
import { atHome, homeOption } from "./at-home.js";
import { transcriptOf } from "./contents.js";
import { findSession } from "./find.js";

const COMMAND = "sessions export";

export async function run(args: string[]): Promise<number> {
  const { values, file: name } = parseArguments(
    COMMAND,
    args,
    { ...homeOption, ...transferOptions },
    "session",
  );
  return atHome(values.home, async (sessions) => {
    const session = await findSession(sessions, COMMAND, name);
    return transfer(COMMAND, values, () => transcriptOf(sessions, session));
  });
}
