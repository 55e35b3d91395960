import { isSilent } from "../../core/message/failure.js";
import { isPriceUnknown, sumUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage, Usage } from "../../core/types.js";
import type { Counts, SessionSummary } from "../../log/catalogue/types.js";
import type { Sessions } from "../../runtime/sessions.js";
import type { Arguments } from "../declaration.js";
import { type Paint, painter, wantsColour } from "../terminal/colour.js";
import { reportLine } from "../terminal/report-line.js";
import { counted, format, table } from "../terminal/table.js";
import { atHome } from "./at-home.js";
import type { statsCommand } from "./commands.js";
import { messagesOf } from "./contents.js";
import { findSession } from "./find.js";
import { plainLine } from "./plain.js";
import { writeResult } from "./result.js";
import { money, tokens } from "./spending.js";

interface ModelStats {
  model: string;
  answers: number;
  usage: Usage;
  unknownPrices: boolean;
}

interface Totals {
  sessions: number;
  archived: number;
  counts: Counts;
  usage: Usage;
  unknownPrices: boolean;
}

export async function run({ values, words: [name] }: Arguments<typeof statsCommand>): Promise<number> {
  const stats = await atHome(values.home, async (sessions) => {
    if (name === undefined) {
      const totals = await sessions.catalogue.stats();
      return { ...totals, models: await byModel(sessions, await sessions.catalogue.list()) };
    }
    const session = await findSession(sessions, name);
    const { archived, counts, usage, unknownPrices } = session;
    const totals = { sessions: 1, archived: Number(archived), counts, usage, unknownPrices };
    return { ...totals, models: await byModel(sessions, [session]) };
  });
  const paint = painter(wantsColour(process.stdout, process.env, values["no-color"]));
  await writeResult(values.json, rowsOf(stats, stats.models, paint).join("\n"), stats);
  if (values.json !== true && stats.unknownPrices) {
    reportLine("usage or price is unknown for some answers; the real cost is higher");
  }
  return 0;
}

function rowsOf(
  { sessions, archived, counts, usage, unknownPrices }: Totals,
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
    ...table([["MODEL", "ANSWERS", "TOKENS", "COST"].map((head) => paint("dim", head)), ...rows]),
  ];
}

/** A session with one model is not opened: the index has its usage. */
async function byModel(home: Sessions, sessions: readonly SessionSummary[]): Promise<ModelStats[]> {
  const parts: ModelStats[] = [];
  for (const session of sessions) {
    const [model = "unknown", ...others] = session.models;
    if (others.length > 0) parts.push(...(await answersOf(home, session)));
    else if (session.counts.assistant > 0) {
      const { counts, usage, unknownPrices } = session;
      parts.push({ model, answers: counts.assistant, usage, unknownPrices });
    }
  }
  return [...new Set(parts.map(({ model }) => model))]
    .map((model) =>
      summed(
        model,
        parts.filter((part) => part.model === model),
      ),
    )
    .sort((a, b) => b.usage.totalTokens - a.usage.totalTokens || (a.model < b.model ? -1 : 1));
}

function summed(model: string, parts: readonly ModelStats[]): ModelStats {
  return {
    model,
    answers: parts.reduce((sum, { answers }) => sum + answers, 0),
    usage: sumUsage(parts.map(({ usage }) => usage)),
    unknownPrices: parts.some(({ unknownPrices }) => unknownPrices),
  };
}

async function answersOf(sessions: Sessions, session: SessionSummary): Promise<ModelStats[]> {
  const answers: ModelStats[] = [];
  for await (const message of messagesOf(sessions, session)) {
    if (isAnswer(message)) answers.push(answerOf(message));
  }
  return answers;
}

/** Rejected requests used nothing. */
function isAnswer(message: AgentMessage): message is AssistantMessage {
  return message.role === "assistant" && (!isSilent(message) || isPriceUnknown(message));
}

function answerOf(message: AssistantMessage): ModelStats {
  const { provider, model, usage } = message;
  return {
    model: model === "" ? "unknown" : `${provider}/${model}`,
    answers: isSilent(message) ? 0 : 1,
    usage,
    unknownPrices: isPriceUnknown(message),
  };
}
