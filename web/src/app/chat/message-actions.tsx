import type { RpcStored } from "dragoman/client";
import type { AgentMessage } from "dragoman/core";
import { texts } from "../../text/texts.js";
import { Icon } from "../../theme/icon.js";
import { IconButton } from "../../theme/icon-button.js";
import { Menu } from "../../theme/menu.js";
import type { Item } from "../../transcript/items.js";
import { useConnected, useMay } from "../app-context.js";
import type { ChatSession } from "../state/chat-session.js";
import { type Conversation, lastUserMessage } from "../state/conversation.js";
import { textOf } from "../state/plain-words.js";
import { useStore } from "../state/store.js";
import { BranchSwitch } from "./branch-switch.js";
import type { Editing } from "./editing.js";
import { modelItems } from "./model-items.js";

interface MessageActionsProps {
  item: Item;
  session: ChatSession;
  onEdit(editing: Editing): void;
}

/** The actions on a message: copy, edit and fork, try again, fork. */
export function MessageActions({ item: { message }, session, onEdit }: MessageActionsProps) {
  const { app } = useConnected();
  const may = useMay();
  const models = useStore(app.models);
  const state = useStore(session.state);
  if (state === undefined) return null;
  const { role, id } = message;
  const attempt = (work: () => Promise<void>) => () => void app.attempt(work);
  const text = message.role === "user" || message.role === "assistant" ? textOf(message.content) : "";
  const isRetriable = isLast(state, message) && state.runId === undefined && may("chat.send");
  const isPaused = message.role === "assistant" && message.stopReason === "toolUse";
  if (isPaused && !isRetriable) return null;
  return (
    <>
      {text !== "" && (
        <IconButton
          icon="copy"
          label={texts.controls.copy}
          onClick={attempt(() => navigator.clipboard.writeText(text))}
        />
      )}
      {message.role === "user" && may("sessions.fork") && (
        <IconButton
          icon="edit"
          label={texts.chat.actions.editAndFork}
          onClick={() => {
            const position = state.entries.find((entry) => entry.message === message)?.position;
            if (position !== undefined) onEdit({ message, position });
          }}
        />
      )}
      {isRetriable && role !== "user" && (
        <IconButton
          icon="retry"
          label={texts.chat.actions.tryAgain}
          className="latest"
          onClick={attempt(() => retry(state))}
        />
      )}
      {isRetriable && isCutOff(message) && (
        <button
          type="button"
          className="button-quiet latest"
          onClick={attempt(() => session.send(texts.chat.actions.continueMessage))}
        >
          {texts.chat.actions.continue}
        </button>
      )}
      {message.role === "assistant" && id !== undefined && may("sessions.fork") && (
        <>
          <IconButton
            icon="fork"
            label={texts.chat.actions.fork}
            onClick={attempt(() => app.fork(session.id, id))}
          />
          {models.length > 1 && (
            <Menu
              label={texts.chat.actions.forkWithModel}
              className="icon-button"
              items={modelItems(
                models,
                undefined,
                (model) => void app.attempt(() => app.fork(session.id, id, model)),
              )}
              button={<Icon name="forkTo" />}
            />
          )}
        </>
      )}
      <BranchSwitch session={session} state={state} message={message} />
    </>
  );

  /** Repeats a failed request in this session, and a completed one in a fork. */
  async function retry(now: Conversation): Promise<void> {
    const last = lastUserMessage(now);
    if (last === undefined) return;
    const { content } = last.message;
    if (isFailure(message)) await session.send(content);
    else await app.sendInFork(session.id, last.position, content);
  }
}

/** Results do not count: they are shown with their calls. */
function isLast({ entries }: Conversation, message: AgentMessage): boolean {
  const isShown = ({ message: { role } }: RpcStored) => role !== "custom" && role !== "toolResult";
  return entries.findLast(isShown)?.message === message;
}

/** An answer that was cut off after it had begun. */
function isCutOff(message: AgentMessage): boolean {
  return message.role === "assistant" && message.stopReason === "error" && message.content.length > 0;
}

function isFailure(message: AgentMessage): boolean {
  if (message.role !== "assistant") return message.role === "error";
  // An answer that ends with a call was stopped while its tools ran.
  return ["error", "aborted", "toolUse"].includes(message.stopReason);
}
