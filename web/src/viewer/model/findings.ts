import { checkStream, loadDialect, type Problem, type Provider } from "dragoman/convert";
import { type Breathe, inSlices } from "./slices.js";

export interface Findings {
  /** In the order of the file; as many as anybody looks at. */
  problems: Problem[];
  counts: Record<Problem["severity"], number>;
}

const LISTED = 5000;

/** Everything that is wrong with a transcript, also what a provider would refuse. */
export async function findProblems(
  bytes: Uint8Array,
  from: string,
  provider: Provider | undefined,
  breathe: Breathe,
): Promise<Findings> {
  const problems: Problem[] = [];
  const counts = { error: 0, warning: 0 };
  await checkStream(inSlices(bytes, breathe), {
    from: await loadDialect(from),
    ...(provider === undefined ? {} : { for: provider }),
    onProblem: (problem) => {
      counts[problem.severity]++;
      if (problems.length < LISTED) problems.push(problem);
    },
  });
  // What cannot be parsed is noticed before what is odd in the lines above it.
  problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return { problems, counts };
}
