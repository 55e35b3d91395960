import type { AgentMessage } from "dragoman/core";
import { texts } from "../../text/texts.js";
import { IconButton } from "../../theme/icon-button.js";
import { useConnected } from "../app-context.js";
import type { ChatSession } from "../state/chat-session.js";
import { branchAt, type Conversation } from "../state/conversation.js";
import { useStore } from "../state/store.js";

interface BranchSwitchProps {
  session: ChatSession;
  state: Conversation;
  message: AgentMessage;
}

/** ‹ 2 / 3 › at the message where the forks of a conversation differ. Each is a session of its own. */
export function BranchSwitch({ session, state, message }: BranchSwitchProps) {
  const { app } = useConnected();
  const branch = branchAt(state, useStore(session.branches), message);
  if (branch === undefined) return null;
  const { sessions, current } = branch;
  const go = (step: number) => () => {
    const id = sessions[current + step];
    if (id !== undefined) app.world.go({ page: "session", id });
  };
  return (
    <fieldset className="branch-switch" aria-label={texts.chat.branches.title}>
      <IconButton
        icon="chevron"
        label={texts.chat.branches.previous}
        disabled={current === 0}
        onClick={go(-1)}
      />
      {texts.chat.branches.position(current + 1, sessions.length)}
      <IconButton
        icon="chevron"
        label={texts.chat.branches.next}
        disabled={current === sessions.length - 1}
        onClick={go(1)}
      />
    </fieldset>
  );
}
