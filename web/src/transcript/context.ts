import { createContext } from "react";
import { ToolActivity } from "./tools/tool-activity.js";

/** What the parts of a transcript know of where they are shown. */
export interface TranscriptContextValue {
  tools: ToolActivity;
  /** A run is under way: a call without a result may still get one. */
  busy: boolean;
  /** Which folds a reader has opened or closed, by key: a row that scrolls out of sight and back is as it was. */
  folds: Map<string, boolean>;
  openSession: ((session: string) => void) | undefined;
}

export const TranscriptContext = createContext<TranscriptContextValue>({
  tools: new ToolActivity(),
  busy: false,
  folds: new Map(),
  openSession: undefined,
});
