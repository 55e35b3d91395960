import { type Drifted, findUnknownShapes, type UnknownShape } from "../convert/shapes/unknown-shapes.js";
import { DragomanError } from "../core/error.js";
import type { KnownShapes } from "../core/records/known-shapes.js";
import { loadKnownShapes, shapedDialects } from "../dialects/registry.js";
import { openOutput } from "./files/output.js";
import { progress } from "./terminal/progress.js";
import { reportLine } from "./terminal/report-line.js";
import { counted, format, listing } from "./terminal/table.js";
import type { Transcript } from "./transcript.js";

/** Prints the shapes of a transcript that its dialect does not know. They are not errors. */
export async function reportDrift({ input, dialect, start }: Transcript, isJson: boolean): Promise<number> {
  const known = (await loadKnownShapes(dialect.name)) ?? noShapes(dialect.name);
  const bar = progress(process.stderr, input.size);
  let found: Drifted;
  try {
    found = await findUnknownShapes(bar.through(input.open()), dialect, known, start);
  } finally {
    bar.end();
  }
  const { shapes, more, unread } = found;
  const output = await openOutput("-");
  if (isJson) await output.write(`${JSON.stringify({ dialect: dialect.name, ...found })}\n`);
  else if (shapes.length > 0) await output.write(`${shapeLines(shapes).join("\n")}\n`);
  if (isJson) return 0;
  const where = `in ${input.name} (${dialect.name})`;
  if (more > 0) reportLine(`… and more, ${counted(more, "time")}`);
  if (unread > 0)
    reportLine(`${counted(unread, "text")} could not be read; \`dragoman check\` reports where`);
  if (shapes.length === 0) reportLine(`nothing unknown ${where}`);
  else {
    reportLine(`${counted(shapes.length, "unknown shape")} ${where}`);
    reportLine("The table has no content of the file: paste it into an issue of the Dragoman project.");
  }
  return 0;
}

function shapeLines(shapes: readonly UnknownShape[]): string[] {
  return listing([["KIND", "PATH", "TYPE", "COUNT", "FIRST"], ...shapes.map(row)]);
}

function row({ kind, path, type, count, at, line }: UnknownShape): string[] {
  const place = line === undefined ? at : `line ${line}`;
  return [kind === "" ? "–" : kind, path === "" ? "–" : path, type, format(count), place];
}

function noShapes(dialect: string): KnownShapes {
  throw new DragomanError("cli/usage", `there is no list of the known shapes of ${dialect}`, {
    hint: `--drift examines ${shapedDialects.join(", ")}`,
  });
}
