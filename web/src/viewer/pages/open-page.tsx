import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { viewerTexts } from "../../text/viewer-texts.js";
import { ShortcutsDialog } from "../../theme/shortcuts-dialog.js";
import { itemsOf } from "../../transcript/items.js";
import { FindBar } from "../find-bar.js";
import type { Source } from "../model/envelope.js";
import { countKinds, itemsOfKinds, type Kind } from "../model/kinds.js";
import type { OpenTranscript, View } from "../model/open-transcript.js";
import { BranchesPanel } from "../panels/branches-panel.js";
import { ConvertPanel } from "../panels/convert-panel.js";
import { MessagePanel } from "../panels/message-panel.js";
import { OutlinePanel } from "../panels/outline-panel.js";
import { ProblemsPanel } from "../panels/problems-panel.js";
import { ReplayBar } from "../replay-bar.js";
import { shortcutList, useShortcuts } from "../shortcuts.js";
import { TimelineView } from "../timeline-view.js";
import { TranscriptView } from "../transcript-view.js";
import { useFind } from "../use-find.js";
import { PageHeader } from "./page-header.js";

export type PanelName = "outline" | "problems" | "branches" | "convert" | "message";

interface OpenPageProps {
  transcript: OpenTranscript;
  onOpen: (source: Source) => Promise<void>;
}

const everything: ReadonlySet<Kind> = new Set();

/** An open transcript: messages in the middle, a panel beside them, the timeline below. */
export function OpenPage({ transcript, onOpen }: OpenPageProps) {
  const view = useSyncExternalStore(transcript.subscribe, transcript.snapshot);
  const { shown, ...replay } = useSyncExternalStore(view.replay.subscribe, view.replay.snapshot);
  const [panel, setPanel] = usePanel(view);
  const [helping, setHelping] = useState(false);
  const { name } = transcript.source;
  useEffect(() => {
    document.title = `${name} · Dragoman`;
  }, [name]);
  useShortcuts(transcript, view, () => setHelping(true));

  const [chosen, setChosen] = useState(everything);
  const all = useMemo(() => itemsOf(view.branch.messages.slice(0, shown)), [view.branch, shown]);
  const counts = useMemo(() => countKinds(all), [all]);
  const items = useMemo(() => itemsOfKinds(all, chosen), [all, chosen]);
  const find = useFind(items);
  const showEverything = useCallback(() => setChosen(everything), []);

  const inspect = useCallback(
    (index: number) => {
      transcript.select(index);
      setPanel("message");
    },
    [transcript, setPanel],
  );
  return (
    <div className="viewer" data-panel={panel}>
      <PageHeader
        transcript={transcript}
        view={view}
        panel={panel}
        onPanel={setPanel}
        onOpen={onOpen}
        onHelp={() => setHelping(true)}
      />
      <FindBar find={find} counts={counts} chosen={chosen} onChoose={setChosen} />
      <TranscriptView
        transcript={transcript}
        view={view}
        items={items}
        shown={shown}
        find={find}
        onInspect={inspect}
        onHidden={showEverything}
      />
      {panel === undefined ? null : <Panel name={panel} transcript={transcript} view={view} />}
      <footer className="viewer-footer">
        <TimelineView transcript={transcript} view={view} shown={shown} hits={find.hits} />
        <ReplayBar replay={view.replay} state={{ shown, ...replay }} />
      </footer>
      <ShortcutsDialog shortcuts={shortcutList()} open={helping} onClose={() => setHelping(false)} />
    </div>
  );
}

/** The panel that the reader chose. At first, where there is space: the errors if there are any, or the outline of several prompts. */
function usePanel({ check, branch }: View): [PanelName | undefined, (panel: PanelName | undefined) => void] {
  const [chosen, setChosen] = useState<{ panel: PanelName | undefined }>();
  const [hasSpace] = useState(() => matchMedia("(min-width: 60rem)").matches);
  const [hasOutline] = useState(() => branch.moments.filter(({ role }) => role === "user").length > 1);
  const choose = useCallback((panel: PanelName | undefined) => setChosen({ panel }), []);
  const hasErrors = (check.findings?.counts.error ?? 0) > 0;
  if (chosen !== undefined) return [chosen.panel, choose];
  const first = hasErrors ? "problems" : hasOutline ? "outline" : undefined;
  return [hasSpace ? first : undefined, choose];
}

function Panel({ name, transcript, view }: { name: PanelName; transcript: OpenTranscript; view: View }) {
  const { check, branch, conversion, comparison, selected } = view;
  return (
    <aside className="viewer-panel" id={`panel-${name}`} aria-label={viewerTexts.panelNames[name]}>
      {name === "outline" ? <OutlinePanel transcript={transcript} view={view} /> : null}
      {name === "problems" ? <ProblemsPanel transcript={transcript} check={check} /> : null}
      {name === "branches" ? <BranchesPanel transcript={transcript} branch={branch} /> : null}
      {name === "convert" ? (
        <ConvertPanel transcript={transcript} conversion={conversion} comparison={comparison} />
      ) : null}
      {name === "message" ? <MessagePanel transcript={transcript} selected={selected} /> : null}
    </aside>
  );
}
