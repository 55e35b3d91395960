import { checkStream } from "../convert/check.js";
import type { Problem } from "../core/dialect.js";
import { usageError } from "./arguments.js";
import type { checkCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { JsonArrayWriter } from "./files/json-array.js";
import { type Output, openOutput } from "./files/output.js";
import { openNamed } from "./named-transcript.js";
import { problemLines } from "./reports/problems.js";
import { type Paint, painter, wantsColour } from "./terminal/colour.js";
import { progress } from "./terminal/progress.js";
import { reportLine } from "./terminal/report-line.js";
import { counted, format } from "./terminal/table.js";

/** Problems listed without --json. */
const ROWS = 200;

export async function run({ values, words: [file] }: Arguments<typeof checkCommand>): Promise<number> {
  if (values.drift === true && values.for !== undefined)
    throw usageError("--drift and --for cannot be combined");
  const transcript = await openNamed(file, values);
  if (values.drift === true)
    return (await import("./drift.js")).reportDrift(transcript, values.json === true);
  const { input, dialect, start } = transcript;
  const output = await openOutput("-");
  const paint = painter(wantsColour(process.stdout, process.env, values["no-color"]));
  const report =
    values.json === true ? jsonReport(output, dialect.name) : listReport(output, input.name, paint);
  const counts = { error: 0, warning: 0 };
  const bar = progress(process.stderr, input.size);
  // The checker asks for more bytes when it is done with the last ones: time to write its findings.
  const source = async function* () {
    for await (const chunk of bar.through(input.open())) {
      yield chunk;
      await report.flush();
    }
  };
  try {
    await checkStream(source(), {
      from: dialect,
      start,
      ...(values.for === undefined ? {} : { for: values.for }),
      onProblem: (problem) => {
        counts[problem.severity]++;
        report.add(problem);
      },
    });
  } finally {
    bar.end();
  }
  await report.end();
  const total = counts.error + counts.warning;
  const where = `in ${input.name} (${dialect.name})`;
  const found = `${counted(counts.error, "error")} and ${counted(counts.warning, "warning")}`;
  if (values.json !== true) reportLine(total === 0 ? `no problems ${where}` : `${found} ${where}`);
  return total === 0 ? 0 : 1;
}

interface Report {
  add(problem: Problem): void;
  flush(): Promise<void>;
  end(): Promise<void>;
}

function jsonReport(output: Output, dialect: string): Report {
  const problems = new JsonArrayWriter(output, `{"dialect":${JSON.stringify(dialect)},"problems":`);
  return {
    add: (problem) => problems.add(problem),
    flush: () => problems.flush(),
    end: () => problems.end("}\n"),
  };
}

function listReport(output: Output, name: string, paint: Paint): Report {
  const problems: Problem[] = [];
  let more = 0;
  return {
    add(problem) {
      if (problems.length < ROWS) problems.push(problem);
      else more++;
    },
    flush: async () => undefined,
    async end() {
      const lines = problemLines(problems, name, paint);
      if (more > 0) lines.push(`… and ${format(more)} more (--json lists all)`);
      if (lines.length > 0) await output.write(`${lines.join("\n")}\n`);
    },
  };
}
