import type { Dialect, Problem } from "../core/dialect.js";
import { type ApiName, apiNames, type DialectName, loadApi } from "../dialects/registry.js";
import type { Checker } from "./checker.js";
import { detectOne, loadReader } from "./detect.js";
import { bytesOf } from "./input.js";
import type { TextStart } from "./read.js";

/** The APIs that a transcript can be checked and repaired for. */
export type Provider = ApiName;
export const providers: readonly Provider[] = apiNames;

export interface CheckOptions {
  /** Default: detected. */
  from?: DialectName;
  /** Also reports what this API would refuse if the transcript were sent unchanged. */
  for?: Provider;
}

/**
 * Reports every problem in a transcript, in the order of the input.
 *
 * @example
 * const { problems } = await check(text, { for: "anthropic" });
 */
export async function check(
  input: string | Uint8Array,
  options: CheckOptions = {},
): Promise<{ dialect: DialectName; problems: Problem[] }> {
  const bytes = bytesOf(input);
  const dialect = options.from ?? (await detectOne(bytes));
  const problems: Problem[] = [];
  const checker = await openChecker(await loadReader(dialect), options.for, (problem) =>
    problems.push(problem),
  );
  checker.push(bytes);
  checker.finish();
  problems.sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || compare(a.code, b.code),
  );
  return { dialect, problems };
}

export interface CheckStreamOptions {
  from: Dialect;
  for?: Provider;
  /** Called with each problem as it is found; an unanswered call is found at the end. */
  onProblem: (problem: Problem) => void;
  /** Where the source starts in the file that it was cut out of, for places. */
  start?: TextStart | undefined;
}

/** The same for inputs of any size. For a file of lines, memory grows with the number of ids, not with the text. */
export async function checkStream(
  source: AsyncIterable<Uint8Array>,
  options: CheckStreamOptions,
): Promise<void> {
  const checker = await openChecker(options.from, options.for, options.onProblem, options.start);
  for await (const chunk of source) checker.push(chunk);
  checker.finish();
}

/** Loads the rules lazily: they are many files, and most programs never check anything. */
async function openChecker(
  dialect: Dialect,
  provider: Provider | undefined,
  onProblem: (problem: Problem) => void,
  start?: TextStart,
): Promise<Checker> {
  const { Checker } = await import("./checker.js");
  return new Checker(dialect, provider && (await loadApi(provider)), onProblem, start);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
