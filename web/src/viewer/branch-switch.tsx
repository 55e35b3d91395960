import { viewerTexts } from "../text/viewer-texts.js";
import type { OpenTranscript } from "./model/open-transcript.js";
import { alternativesOf, type Segment } from "./model/tree.js";

/** Switches between the branches that start at this point. */
export function BranchSwitch({ transcript, message }: { transcript: OpenTranscript; message: number }) {
  const all = alternativesOf(transcript.tree, message);
  if (all === undefined) return null;
  const at = all.findIndex(({ messages: [first] }) => first === message);
  return (
    <div className="viewer-switch">
      <SwitchButton label={viewerTexts.branches.previous} sign="‹" to={all[at - 1]} transcript={transcript} />
      <span>{viewerTexts.branches.place(at + 1, all.length)}</span>
      <SwitchButton label={viewerTexts.branches.next} sign="›" to={all[at + 1]} transcript={transcript} />
    </div>
  );
}

interface SwitchButtonProps {
  label: string;
  sign: string;
  to: Segment | undefined;
  transcript: OpenTranscript;
}

function SwitchButton({ label, sign, to, transcript }: SwitchButtonProps) {
  const first = to?.messages[0];
  return (
    <button
      type="button"
      className="button-quiet"
      aria-label={label}
      disabled={first === undefined}
      onClick={() => {
        if (first !== undefined) transcript.goTo(first);
      }}
    >
      {sign}
    </button>
  );
}
