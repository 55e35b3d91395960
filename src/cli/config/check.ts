import { configPath, findConfigProblems, homeFolder, readConfigText } from "../../runtime/config.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { describeError, errorFields } from "../terminal/errors.js";
import { reportLine } from "../terminal/report-line.js";
import { counted } from "../terminal/table.js";
import type { configCheckCommand } from "./commands.js";

export async function run({ values }: Arguments<typeof configCheckCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const file = configPath(home);
  const problems = await findConfigProblems(await readConfigText(home), file);
  await writeResult(values.json, "", { file, problems: problems.map(errorFields) });
  if (values.json === true) return problems.length === 0 ? 0 : 1;
  for (const problem of problems) reportLine(describeError(problem));
  reportLine(
    problems.length === 0 ? `${file} is valid` : `${counted(problems.length, "problem")} in ${file}`,
  );
  return problems.length === 0 ? 0 : 1;
}
