import { texts } from "../text/texts.js";
import { viewerTexts } from "../text/viewer-texts.js";
import type { Shortcuts } from "../theme/shortcuts-dialog.js";
import { isTyping, useKeyDown } from "../theme/use-key-down.js";
import type { OpenTranscript, View } from "./model/open-transcript.js";

/** The keys that focus the search field. */
export function isFindKey({
  key,
  ctrlKey,
  metaKey,
  altKey,
  target,
}: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "target">): boolean {
  if (altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === "f";
  return key === "/" && !isTyping(target);
}

/** The list shown in the shortcuts dialog. */
export function shortcutList(): Shortcuts {
  const { keys } = viewerTexts;
  const { enter, shift } = texts.shell.shortcuts.keys;
  return [
    [["/"], keys.search],
    [[enter], keys.nextMatch],
    [[shift, enter], keys.previousMatch],
    [["J"], keys.nextMessage],
    [["K"], keys.previousMessage],
    [["N"], keys.nextProblem],
    [["P"], keys.replay],
    [["?"], keys.list],
  ];
}

/** `j` and `k` move between messages, `n` to the next problem, `p` plays and pauses, `?` calls back. */
export function useShortcuts(transcript: OpenTranscript, view: View, onHelp: () => void): void {
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
      case "?":
        return onHelp();
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
