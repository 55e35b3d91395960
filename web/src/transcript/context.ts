import { createContext } from "react";
import { ToolActivity } from "./tools/tool-activity.js";

/** What a transcript's components share. */
export interface TranscriptContextValue {
  tools: ToolActivity;
  /** A run is active, so a call without a result may still get one. */
  busy: boolean;
  /** Which folds the reader opened or closed, by key, so that rows keep their state while scrolled out of view. */
  folds: Map<string, boolean>;
  /** What the reader searches for, and the row it was found in, which is shown unfolded. */
  sought?: { text: string; row: string | undefined } | undefined;
  openSession: ((session: string) => void) | undefined;
}

export const TranscriptContext = createContext<TranscriptContextValue>({
  tools: new ToolActivity(),
  busy: false,
  folds: new Map(),
  openSession: undefined,
});
