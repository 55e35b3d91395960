import { parseArguments, usageError } from "../arguments.js";
import { painter, wantsColour } from "../colour.js";
import { openOutput } from "../output.js";
import { counted } from "../table.js";
import { tell } from "../tell.js";
import { atHome, homeOption } from "./at-home.js";
import { sessionRows } from "./list-rows.js";
import { countOf } from "./numbers.js";
import { plainJson } from "./plain.js";

const COMMAND = "sessions list";
const ROWS = 30;

export async function run(args: string[]): Promise<number> {
  const { values, file } = parseArguments(COMMAND, args, {
    ...homeOption,
    agent: { type: "string" },
    all: { type: "boolean" },
    archived: { type: "boolean" },
    limit: { type: "string" },
    json: { type: "boolean" },
  });
  if (file !== undefined)
    throw usageError(COMMAND, `"${file}" is too much; \`dragoman sessions show\` shows one`);
  if (values.all === true && values.archived === true) {
    throw usageError(COMMAND, "--all and --archived exclude each other");
  }
  const limit = countOf(COMMAND, "--limit", values.limit);
  const { home, sessions } = await atHome(values.home, async ({ home, catalogue }) => ({
    home,
    sessions: await catalogue.list({
      ...(values.agent === undefined ? {} : { agent: values.agent }),
      ...(values.all === true ? {} : { archived: values.archived === true }),
    }),
  }));
  const output = await openOutput("-");
  if (values.json === true) {
    await output.write(`${plainJson(sessions.slice(0, limit))}\n`);
    return 0;
  }
  if (sessions.length === 0) {
    const chosen = values.agent !== undefined || values.archived === true;
    tell(
      chosen
        ? "no such sessions"
        : `no sessions in ${home} yet; \`dragoman sessions import FILE\` brings one, and --home DIR looks elsewhere`,
    );
    return 0;
  }
  const shown = sessions.slice(0, limit ?? ROWS);
  const rows = sessionRows(shown, {
    now: Date.now(),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    paint: painter(wantsColour(process.stdout, process.env, values["no-color"])),
  });
  await output.write(`${rows.join("\n")}\n`);
  const more = sessions.length - shown.length;
  if (more > 0) tell(`… and ${counted(more, "older session")}; --limit ${sessions.length} shows all`);
  return 0;
}
