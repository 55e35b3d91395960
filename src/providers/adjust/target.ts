import type { ApiRules } from "../../core/api/api-rules.js";
import type { ToolNames } from "./names.js";

/** The properties of a model to which a history is fitted. */
export interface Target {
  /** The name of the API's dialect, whose opaque blocks it accepts. */
  dialect: string;
  api: string;
  provider: string;
  model: string;
  images: boolean;
  rules: ApiRules;
  /** Whether calls and results are sent with their ids (default: true). */
  sendsIds?: boolean;
  /** The tool names that are sent (default: created from `rules`). */
  names?: ToolNames;
}
