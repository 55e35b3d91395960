import { lastCompaction } from "../../agent/context.js";
import { parseArguments } from "../arguments.js";
import { tell } from "../tell.js";
import { atHome, homeOption } from "./at-home.js";
import { findSession, refuseForeign, whileIdle } from "./find.js";
import { plain } from "./plain.js";
import { writeResult } from "./result.js";

const COMMAND = "sessions compact";

export async function run(args: string[]): Promise<number> {
  const { values, file: name } = parseArguments(
    COMMAND,
    args,
    { ...homeOption, undo: { type: "boolean" }, json: { type: "boolean" } },
    "session",
  );
  return atHome(values.home, async (runtime) => {
    const found = await findSession(runtime, COMMAND, name);
    refuseForeign(found);
    const conversation = await runtime.open(found.id);
    const undo = values.undo === true;
    const changed = await whileIdle(runtime, found.id, () =>
      undo ? conversation.undoCompaction() : conversation.compact(),
    );
    const summary = lastCompaction(await conversation.messages())?.compaction.summary;
    await writeResult(values.json, undo || !changed || summary === undefined ? "" : plain(summary), {
      session: found.id,
      changed,
      ...(summary === undefined ? {} : { summary }),
    });
    tell(outcome(undo, changed, found.id));
    return 0;
  });
}

function outcome(undo: boolean, changed: boolean, id: string): string {
  if (undo)
    return changed ? "the model is shown again what was summarised" : "there is no compaction to undo";
  if (!changed) return "there is too little to summarise; nothing was changed";
  return `from here on the model is shown this summary; \`dragoman sessions compact ${id} --undo\` takes it back`;
}
