import { texts } from "../../text/texts.js";
import { listed } from "../../transcript/numbers.js";
import { useConnected } from "../app-context.js";
import type { Conversation } from "../state/conversation.js";

/** What the agent is doing; unknown while the connection is lost. */
export function StatusLine({ state, isAnswering }: { state: Conversation; isAnswering: boolean }) {
  const { isLost } = useConnected();
  const known = statusOf(state, isAnswering);
  const text = isLost && known !== "" ? texts.chat.status.lost : known;
  return (
    <p className="status-line" role="status" data-still={isLost} hidden={text === ""}>
      {text}
    </p>
  );
}

function statusOf({ runId, tools, permissions }: Conversation, isAnswering: boolean): string {
  const t = texts.chat.status;
  if (runId === undefined) return "";
  if (permissions.length > 0) return t.waiting;
  const names = [...new Set(tools.values())];
  if (names.length > 0) return t.running(listed(names));
  return isAnswering ? t.answering : t.thinking;
}
