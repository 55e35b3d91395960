import type { Usage } from "../../core/types.js";
import { HOME_SOURCE, type Spending, type Stats } from "../../log/catalogue/types.js";
import { groupSpending, type SpendingGroup } from "../../runtime/usage/spending-groups.js";
import type { Arguments } from "../declaration.js";
import { type Paint, painter, wantsColour } from "../terminal/colour.js";
import { reportLine } from "../terminal/report-line.js";
import { counted, format, listing, table } from "../terminal/table.js";
import { atHome, type SessionsHere } from "./at-home.js";
import { indexChosen } from "./chosen-sources.js";
import type { statsCommand } from "./commands.js";
import { findSession } from "./find.js";
import { plainLine } from "./plain.js";
import { writeResult } from "./result.js";
import { money, tokens } from "./spending.js";
import { groupCells } from "./spending-groups.js";

interface ModelStats {
  model: string;
  answers: number;
  usage: Usage;
  unknownPrices: boolean;
}

export async function run({ values, words: [name] }: Arguments<typeof statsCommand>): Promise<number> {
  const source = values.source ?? (values.by === "source" ? "all" : undefined);
  const { totals, spending } = await atHome(values.home, (here) => statsOf(here, name, source));
  const paint = painter(wantsColour(process.stdout, process.env, values["no-color"]));
  if (values.by === undefined) {
    const models = groupSpending(spending, "model").map(modelStats);
    await writeResult(values.json, rowsOf(totals, models, paint).join("\n"), { ...totals, models });
  } else {
    const rows = groupSpending(spending, values.by);
    const [heads = [], ...cells] = groupCells(rows, values.by);
    const text = listing([heads.map((head) => paint("dim", head)), ...cells]).join("\n");
    await writeResult(values.json, text, { by: values.by, rows });
  }
  if (values.json !== true && name === undefined && totals.sessions === 0) {
    reportLine(source === undefined ? "no sessions; --source all includes other programs" : "no sessions");
  }
  if (values.json !== true && totals.unknownPrices) {
    reportLine("usage or price is unknown for some answers; the real cost is higher");
  }
  return 0;
}

/** Of one session, or of a source (default: the home). */
async function statsOf(
  here: SessionsHere,
  name: string | undefined,
  source: string | undefined,
): Promise<{ totals: Stats; spending: Spending[] }> {
  const { catalogue } = here;
  if (name === undefined) {
    const sources = await indexChosen(here, source ?? HOME_SOURCE);
    return { totals: await catalogue.stats({ sources }), spending: await catalogue.spending({ sources }) };
  }
  const session = await findSession(here, name, source);
  const { archived, counts, usage, unknownPrices } = session;
  return {
    totals: { sessions: 1, archived: Number(archived), counts, usage, unknownPrices },
    spending: await catalogue.spending({ sources: [session.source], session: session.id }),
  };
}

function modelStats({ name = "unknown", answers, usage, unknownPrices }: SpendingGroup): ModelStats {
  return { model: name, answers, usage, unknownPrices };
}

function rowsOf(
  { sessions, archived, counts, usage, unknownPrices }: Stats,
  models: readonly ModelStats[],
  paint: Paint,
): string[] {
  const said = counts.user + counts.assistant + counts.toolResult;
  const kinds = `${format(counts.user)} user, ${format(counts.assistant)} assistant, ${format(counts.toolResult)} tool`;
  const totals = table([
    ["sessions", `${format(sessions)}${archived > 0 ? ` (${format(archived)} archived)` : ""}`],
    ["messages", said === 0 ? "0" : `${format(said)} (${kinds})`],
    ["tokens", tokens(usage)],
    ["cost", money(usage, unknownPrices)],
    ...(counts.bad > 0 ? [["damaged", counted(counts.bad, "line")]] : []),
  ]);
  if (models.length === 0) return totals;
  const rows = models.map(({ model, answers, usage, unknownPrices }) => [
    plainLine(model),
    format(answers),
    tokens(usage),
    money(usage, unknownPrices),
  ]);
  return [
    ...totals,
    "",
    ...listing([["MODEL", "ANSWERS", "TOKENS", "COST"].map((head) => paint("dim", head)), ...rows]),
  ];
}
