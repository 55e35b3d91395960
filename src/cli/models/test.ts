import { homeFolder, readConfig } from "../../runtime/config.js";
import { checkAccess } from "../../runtime/model-access.js";
import { type Check, checkModel } from "../../runtime/model-checks.js";
import { modelsNamed } from "../../runtime/model-names.js";
import { connector } from "../../runtime/models.js";
import { linesAt } from "../../runtime/store-address.js";
import { UsageLedger } from "../../runtime/usage/ledger.js";
import { LOCAL } from "../../runtime/usage/record.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { painter, wantsColour } from "../terminal/colour.js";
import { reportLine } from "../terminal/report-line.js";
import { shownLine, shownText } from "../terminal/shown-text.js";
import { listing } from "../terminal/table.js";
import type { testCommand } from "./commands.js";

const colours = { works: "green", fails: "red", skipped: "yellow" } as const;

export async function run({ values, words: [name] }: Arguments<typeof testCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const config = await readConfig(home, process.env);
  const members = modelsNamed(config, name).map((model) => model.name);
  if (members.length > 1) {
    throw usageError(`${name} is a list of models; test one of them: ${members.join(", ")}`);
  }
  checkAccess(name, { config }, process.env);
  const usage = new UsageLedger({
    store: await linesAt(home, reportLine),
    now: Date.now,
    onNote: reportLine,
  });
  const model = connector(config)(name, { meter: usage.meter(() => ({ token: LOCAL })) });
  const checks: Check[] = [];
  for await (const check of checkModel(model)) checks.push(check);
  await usage.close();
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify({ model: `${model.provider}/${model.id}`, checks })}\n`);
  } else {
    const paint = painter(wantsColour(process.stdout, process.env, values["no-color"]));
    const rows = checks.map(({ name: check, result, ms, detail }) => [
      check,
      paint(colours[result], result),
      result === "skipped" ? "" : `${(ms / 1000).toFixed(1)} s`,
      shownLine(detail),
    ]);
    process.stdout.write(
      `${shownText(listing([["CHECK", "RESULT", "TIME", "DETAIL"], ...rows]).join("\n"))}\n`,
    );
  }
  return checks.some(({ result }) => result === "fails") ? 1 : 0;
}
