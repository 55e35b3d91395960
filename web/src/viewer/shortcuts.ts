import { isTyping, useKeyDown } from "../theme/use-key-down.js";
import type { OpenTranscript, View } from "./model/open-transcript.js";

/** `j` and `k` move between messages, `n` to the next problem, `p` plays and pauses. */
export function useShortcuts(transcript: OpenTranscript, view: View): void {
  useKeyDown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const { path } = view.branch;
    const at = view.selected === undefined ? -1 : path.indexOf(view.selected.index);
    switch (event.key) {
      case "j":
        return goTo(transcript, path[at + 1]);
      case "k":
        return goTo(transcript, path[at < 0 ? path.length - 1 : at - 1]);
      case "n":
        return goTo(transcript, nextProblem(view, at));
      case "p":
        return view.replay.snapshot().playing ? view.replay.pause() : view.replay.play();
    }
  });
}

function goTo(transcript: OpenTranscript, index: number | undefined): void {
  if (index !== undefined) transcript.goTo(index);
}

/** The next message with a problem on this branch; wraps around. */
function nextProblem({ branch, check }: View, at: number): number | undefined {
  const hasProblem = (index: number) => check.byMessage.has(index);
  return branch.path.slice(at + 1).find(hasProblem) ?? branch.path.find(hasProblem);
}
