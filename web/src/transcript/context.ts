import { createContext } from "react";
import { ToolActivity } from "./tools/tool-activity.js";

/** What a transcript's components share. */
export interface TranscriptContextValue {
  tools: ToolActivity;
  /** A run is active, so a call without a result may still get one. */
  busy: boolean;
  /** Which folds the reader opened or closed, by key, so that rows keep their state while scrolled out of view. */
  folds: Map<string, boolean>;
  openSession: ((session: string) => void) | undefined;
}

export const TranscriptContext = createContext<TranscriptContextValue>({
  tools: new ToolActivity(),
  busy: false,
  folds: new Map(),
  openSession: undefined,
});
