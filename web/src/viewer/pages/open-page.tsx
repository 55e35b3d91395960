import { useEffect, useState, useSyncExternalStore } from "react";
import type { Source } from "../model/envelope.js";
import type { OpenTranscript, View } from "../model/open-transcript.js";
import { BranchesPanel } from "../panels/branches-panel.js";
import { ConvertPanel } from "../panels/convert-panel.js";
import { MessagePanel } from "../panels/message-panel.js";
import { ProblemsPanel } from "../panels/problems-panel.js";
import { ReplayBar } from "../replay-bar.js";
import { useShortcuts } from "../shortcuts.js";
import { TimelineView } from "../timeline-view.js";
import { TranscriptView } from "../transcript-view.js";
import { PageHeader } from "./page-header.js";

export type PanelName = "problems" | "branches" | "convert" | "message";

interface OpenPageProps {
  transcript: OpenTranscript;
  onOpen: (source: Source) => Promise<void>;
}

/** An open transcript: messages in the middle, a panel beside them, the timeline below. */
export function OpenPage({ transcript, onOpen }: OpenPageProps) {
  const view = useSyncExternalStore(transcript.subscribe, transcript.snapshot);
  const replay = useSyncExternalStore(view.replay.subscribe, view.replay.snapshot);
  const [panel, setPanel] = useState<PanelName | undefined>(() =>
    matchMedia("(min-width: 60rem)").matches ? "problems" : undefined,
  );
  const { name } = transcript.source;
  useEffect(() => {
    document.title = `${name} · Dragoman`;
  }, [name]);
  useShortcuts(transcript, view);
  const inspect = (index: number) => {
    transcript.select(index);
    setPanel("message");
  };
  return (
    <div className="viewer" data-panel={panel}>
      <PageHeader transcript={transcript} view={view} panel={panel} onPanel={setPanel} onOpen={onOpen} />
      <TranscriptView transcript={transcript} view={view} shown={replay.shown} onInspect={inspect} />
      {panel === undefined ? null : <Panel name={panel} transcript={transcript} view={view} />}
      <footer className="viewer-footer">
        <TimelineView transcript={transcript} view={view} shown={replay.shown} />
        <ReplayBar replay={view.replay} state={replay} />
      </footer>
    </div>
  );
}

function Panel({ name, transcript, view }: { name: PanelName; transcript: OpenTranscript; view: View }) {
  return (
    <aside className="viewer-panel" id={`panel-${name}`} aria-label={name}>
      {name === "problems" ? <ProblemsPanel transcript={transcript} check={view.check} /> : null}
      {name === "branches" ? <BranchesPanel transcript={transcript} branch={view.branch} /> : null}
      {name === "convert" ? <ConvertPanel transcript={transcript} conversion={view.conversion} /> : null}
      {name === "message" ? <MessagePanel transcript={transcript} selected={view.selected} /> : null}
    </aside>
  );
}
