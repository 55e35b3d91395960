import type { ApiRules } from "../../core/api/api-rules.js";
import type { ToolNames } from "./names.js";

/** The model that is asked, as far as a history depends on it. */
export interface Target {
  /** The name of the API's dialect, whose own opaque blocks it understands. */
  dialect: string;
  api: string;
  provider: string;
  model: string;
  images: boolean;
  rules: ApiRules;
  /** Whether calls and results are sent with their ids; they are when absent. */
  sendsIds?: boolean;
  /** How tools are called there; made anew when absent. */
  names?: ToolNames;
}
