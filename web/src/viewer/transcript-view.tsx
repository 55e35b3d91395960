import { shownOf } from "./branch.js";
import type { OpenTranscript, View } from "./open-transcript.js";

interface TranscriptViewProps {
  transcript: OpenTranscript;
  view: View;
  shown: number;
  onInspect: (index: number) => void;
}

export function TranscriptView({ view, shown, onInspect }: TranscriptViewProps) {
  const { items, positionOf } = shownOf(view.branch, shown);
  return (
    <main className="viewer-main">
      {items.map((item, at) => (
        <section key={item.key}>
          <button type="button" onClick={() => onInspect(view.branch.path[positionOf[at] ?? 0] ?? 0)}>
            JSON
          </button>
          <pre>{JSON.stringify(item.parts, null, 1).slice(0, 300)}</pre>
        </section>
      ))}
    </main>
  );
}
