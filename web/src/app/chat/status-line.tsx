import type { Conversation } from "../state/conversation.js";

/** What the agent is doing. */
export function StatusLine({ state, isAnswering }: { state: Conversation; isAnswering: boolean }) {
  const text = statusOf(state, isAnswering);
  return (
    <p className="status-line" role="status" hidden={text === ""}>
      {text}
    </p>
  );
}

function statusOf({ runId, tools, permissions }: Conversation, isAnswering: boolean): string {
  if (runId === undefined) return "";
  if (permissions.length > 0) return "Waiting for permission";
  const names = [...new Set(tools.values())];
  if (names.length > 0) return `Running ${names.join(", ")}…`;
  return isAnswering ? "Answering…" : "Thinking…";
}
