import { compareTarget, loadDialect, type Provider, readableHtml, type Target } from "dragoman/convert";
import { type Findings, findProblems } from "./findings.js";
import { type Entry, type Head, type SourceText, TranscriptLoader } from "./load.js";
import { inSlices, type YieldToPage } from "./slices.js";
import { type Translated, type TranslateOptions, translate } from "./translate.js";

/** What can be done with a transcript's bytes. Everything is plain data, so that a worker can do it. */
export interface Jobs {
  /** Comes before the others. The messages are passed on in parts. */
  load: { input: { from: string | undefined }; part: Entry[]; result: Head };
  check: { input: { from: string; provider: Provider | undefined }; part: never; result: Findings };
  translate: { input: TranslateOptions; part: never; result: Translated };
  compare: { input: Omit<TranslateOptions, "escrow">; part: never; result: Target };
  /** HTML for readers without scripts, in pieces. */
  readable: { input: { from: string; leaf: string | undefined }; part: never; result: string[] };
  source: { input: { index: number }; part: never; result: SourceText | undefined };
}

export type JobName = keyof Jobs;

export interface JobRunner {
  run<N extends JobName>(
    name: N,
    input: Jobs[N]["input"],
    onPart?: (part: Jobs[N]["part"]) => void,
  ): Promise<Jobs[N]["result"]>;
  close(): void;
}

type Handlers = {
  [N in JobName]: (
    input: Jobs[N]["input"],
    onPart: (part: Jobs[N]["part"]) => void,
  ) => Promise<Jobs[N]["result"]>;
};

/** Does the jobs in this thread, in slices. */
export function localJobs(bytes: Uint8Array, breathe: YieldToPage): JobRunner {
  const loader = new TranscriptLoader(bytes, breathe);
  const handlers: Handlers = {
    load: ({ from }, onPart) => loader.load(from, onPart),
    check: ({ from, provider }) => findProblems(bytes, from, provider, breathe),
    translate: (options) => translate(bytes, options, breathe),
    compare: async ({ from, to, leaf }) => {
      const [source, target] = await Promise.all([loadDialect(from), loadDialect(to)]);
      const branch = leaf === undefined || target.branches ? {} : { leaf };
      return compareTarget(() => inSlices(bytes, breathe), { from: source, to: target, ...branch });
    },
    readable: async ({ from, leaf }) => {
      const pieces: string[] = [];
      const options = { from: await loadDialect(from), leaf };
      for await (const piece of readableHtml(() => inSlices(bytes, breathe), options)) pieces.push(piece);
      return pieces;
    },
    source: async ({ index }) => loader.sourceOf(index),
  };
  return {
    run: (name, input, onPart = () => undefined) => handlers[name](input, onPart),
    close: () => undefined,
  };
}
