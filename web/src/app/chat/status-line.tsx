import type { Conversation } from "../state/conversation.js";

/** What the agent is busy with, while it is. */
export function StatusLine({ state, isAnswering }: { state: Conversation; isAnswering: boolean }) {
  const words = statusOf(state, isAnswering);
  return (
    <p className="status-line" role="status" hidden={words === ""}>
      {words}
    </p>
  );
}

function statusOf({ runId, tools, permissions }: Conversation, isAnswering: boolean): string {
  if (runId === undefined) return "";
  if (permissions.length > 0) return "Waiting for a permission";
  const names = [...new Set(tools.values())];
  if (names.length > 0) return `Running ${names.join(", ")}…`;
  return isAnswering ? "Answering…" : "Thinking…";
}
