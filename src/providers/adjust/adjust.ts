import type { Shown } from "../../core/shown/conversation.js";
import type { Loss } from "../../core/types.js";
import { beginWithUser } from "./alternate.js";
import { fitContent } from "./content.js";
import type { Entry } from "./entry.js";
import { ToolNames } from "./names.js";
import { pair } from "./pair.js";
import { Renamer, renameCalls } from "./rename.js";
import type { Target } from "./target.js";
import { trimLastAnswer } from "./trim.js";

/**
 * Makes any conversation acceptable to a model, regardless of the model that wrote it, of how it ended, and of errors in
 * it. Each change is reported with a pointer into the context (`/messages/3/content/0`).
 */
export function adjust(shown: readonly Shown[], target: Target, report: (loss: Loss) => void): Entry[] {
  const { rules, names = new ToolNames(rules.toolName), sendsIds = true } = target;
  // Ids that are not sent still pair calls and results, but changing them loses nothing.
  const reportId = sendsIds ? report : () => undefined;
  const paired = pair(fitContent(shown, target, report), report, reportId);
  const ids = new Renamer(rules.toolId);
  const named = renameCalls(paired, "name", (name) => names.toSent(name), report);
  const identified = renameCalls(named, "id", (id) => ids.rename(id), reportId);
  const ended = rules.trimsLastAnswer ? trimLastAnswer(identified, report) : identified;
  return rules.alternates ? beginWithUser(ended, report) : ended;
}
