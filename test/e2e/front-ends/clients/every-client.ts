import { a2a } from "./a2a.js";
import { agUi } from "./ag-ui.js";
import { aiSdk } from "./ai-sdk.js";
import { copilotKit } from "./copilotkit.js";
import { openClaw } from "./openclaw.js";
import type { ClientKind } from "./session-client.js";

/** The official clients of all front-end protocols, in the versions that `test/package.json` pins. */
export const everyClient: readonly ClientKind[] = [
  aiSdk(5),
  aiSdk(6),
  aiSdk(7),
  agUi("1.0.0"),
  agUi("0.0.59"),
  copilotKit,
  a2a("1.0"),
  a2a("0.3"),
  openClaw,
];
