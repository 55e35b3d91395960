import { defined } from "../../core/json/defined.js";
import { type Hit, HOME_SOURCE, type SessionSummary } from "../../log/catalogue/types.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { openOutput } from "../files/output.js";
import { type Paint, painter, wantsColour } from "../terminal/colour.js";
import { reportLine } from "../terminal/report-line.js";
import { counted, format } from "../terminal/table.js";
import { atHome } from "./at-home.js";
import { indexChosen } from "./chosen-sources.js";
import type { searchCommand } from "./commands.js";
import { plain, plainJson, plainLine } from "./plain.js";
import { moment, timeOf } from "./when.js";

const DEFAULT_LIMIT = 20;

export async function run({ values, words: [query] }: Arguments<typeof searchCommand>): Promise<number> {
  const { agent, role, limit = DEFAULT_LIMIT } = values;
  // Agents and homes are ours: naming one leaves out other programs.
  const source = values.source ?? (agent === undefined && values.home === undefined ? "all" : HOME_SOURCE);
  const since = parseTime("--since", values.since, "begin");
  const until = parseTime("--until", values.until, "end");
  const filters = defined({ agent, role, since, until, limit });
  const { hits, matches, more, ignored, sessions } = await atHome(values.home, async (here) => {
    const { catalogue } = here;
    const sources = await indexChosen(here, source);
    const found = await catalogue.search(query, { ...filters, sources });
    const { hits, total: matches, more = false, ignored } = found;
    const names = new Map(hits.map((hit) => [`${hit.source} ${hit.session}`, hit]));
    const summaries = [...names.values()].map((hit) => catalogue.get(hit.session, { sources: [hit.source] }));
    return { hits, matches, more, ignored, sessions: await Promise.all(summaries) };
  });
  const output = await openOutput("-");
  if (values.json === true) {
    await output.write(`${plainJson({ hits, matches, ignored })}\n`);
    return 0;
  }
  if (ignored.length > 0)
    reportLine(`ignored in the query: ${ignored.map((word) => plainLine(word)).join(", ")}`);
  const paint = painter(wantsColour(process.stdout, process.env, values["no-color"]));
  const lines = sessions
    .filter((session) => session !== undefined)
    .map((session) => sessionLines(session, hits, paint).join("\n"));
  if (lines.length > 0) await output.write(`${lines.join("\n\n")}\n`);
  reportLine(
    hits.length === 0
      ? "nothing found"
      : `${shownOf(hits.length, matches, more)} in ${counted(lines.length, "session")}`,
  );
  return 0;
}

/** `20 of 137 messages` */
function shownOf(shown: number, matches: number, more: boolean): string {
  if (shown === matches) return counted(shown, "message");
  const all = more ? `at least ${format(matches)}` : format(matches);
  return `${format(shown)} of ${all} messages (--limit N shows more)`;
}

function sessionLines(
  { id, source, folder, title = "" }: SessionSummary,
  hits: readonly Hit[],
  paint: Paint,
): string[] {
  const elsewhere = source === HOME_SOURCE ? [] : [source, ...(folder === undefined ? [] : [folder])];
  const heading = [
    paint("bold", plainLine(title)),
    paint("cyan", plainLine(id)),
    ...elsewhere.map((text) => paint("dim", plainLine(text))),
  ];
  return [
    heading.join("  "),
    ...hits
      .filter((hit) => hit.session === id && hit.source === source)
      .map((hit) => `  ${hitLine(hit, paint)}`),
  ];
}

/** Without colours, matches are put in quotes. */
function hitLine({ role, timestamp, snippet }: Hit, paint: Paint): string {
  const mark = (text: string) => (paint("yellow", text) === text ? `«${text}»` : paint("yellow", text));
  const text = snippet.map((part) => (part.match ? mark(plain(part.text)) : plain(part.text))).join("");
  return [role, ...(timestamp > 0 ? [paint("dim", moment(timestamp))] : []), text].join("  ");
}

function parseTime(option: string, text: string | undefined, edge: "begin" | "end"): number | undefined {
  if (text === undefined) return undefined;
  const time = timeOf(text, edge, Date.now());
  if (time !== undefined) return time;
  throw usageError(`${option} must be a date such as 2026-01-15, or 3d for three days ago, not "${text}"`);
}
