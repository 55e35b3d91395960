import { HOME_SOURCE } from "../../log/catalogue/types.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { openOutput } from "../files/output.js";
import { painter, wantsColour } from "../terminal/colour.js";
import { columnsOf } from "../terminal/columns.js";
import { reportLine } from "../terminal/report-line.js";
import { atHome } from "./at-home.js";
import { indexChosen } from "./chosen-sources.js";
import type { listCommand } from "./commands.js";
import { sessionRows } from "./list-rows.js";
import { plainJson } from "./plain.js";

const ROWS = 30;

export async function run({ values }: Arguments<typeof listCommand>): Promise<number> {
  if (values.all === true && values.archived === true) {
    throw usageError("--all and --archived cannot be combined");
  }
  const shownRows = values.limit ?? ROWS;
  // One more shows that there are more.
  const limit = values.json === true ? values.limit : shownRows + 1;
  const { home, sessions } = await atHome(values.home, async (here) => ({
    home: here.home,
    sessions: await here.catalogue.list({
      sources: await indexChosen(here, values.source ?? HOME_SOURCE),
      ...(values.agent === undefined ? {} : { agent: values.agent }),
      ...(values.all === true ? {} : { archived: values.archived === true }),
      ...(limit === undefined ? {} : { limit }),
    }),
  }));
  const output = await openOutput("-");
  if (values.json === true) {
    await output.write(`${plainJson(sessions)}\n`);
    return 0;
  }
  if (sessions.length === 0) {
    const chosen =
      [values.agent, values.source].some((value) => value !== undefined) || values.archived === true;
    reportLine(
      chosen
        ? "no such sessions"
        : `no sessions in ${home} yet; \`dragoman sessions import FILE\` adds one, --source all lists other programs' sessions, and --home DIR selects another home`,
    );
    return 0;
  }
  const shown = sessions.slice(0, shownRows);
  const rows = sessionRows(shown, {
    now: Date.now(),
    columns: columnsOf(process.stdout),
    sources: values.source !== undefined,
    paint: painter(wantsColour(process.stdout, process.env, values["no-color"])),
  });
  await output.write(`${rows.join("\n")}\n`);
  if (sessions.length > shown.length) {
    reportLine(`… and older sessions; --limit ${10 * Math.max(1, shownRows)} shows more, --json lists all`);
  }
  return 0;
}
