import { checkStream, loadDialect, type Problem, type Provider } from "dragoman/convert";
import { inSlices, type YieldToPage } from "./slices.js";

export interface Findings {
  /** In file order, up to a limit. */
  problems: Problem[];
  counts: Record<Problem["severity"], number>;
}

const MAX_LISTED = 5000;

/** Checks a transcript, optionally also for what a provider would reject. */
export async function findProblems(
  bytes: Uint8Array,
  from: string,
  provider: Provider | undefined,
  breathe: YieldToPage,
): Promise<Findings> {
  const problems: Problem[] = [];
  const counts = { error: 0, warning: 0 };
  await checkStream(inSlices(bytes, breathe), {
    from: await loadDialect(from),
    ...(provider === undefined ? {} : { for: provider }),
    onProblem: (problem) => {
      counts[problem.severity]++;
      if (problems.length < MAX_LISTED) problems.push(problem);
    },
  });
  // Syntax errors are reported before problems in earlier lines.
  problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return { problems, counts };
}
