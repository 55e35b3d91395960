import { useChat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  type DynamicToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai";
import { createRoot } from "react-dom/client";

/** `#gateway=http://127.0.0.1:18800&token=TOKEN&agent=main&chat=my-chat&approvals=true` */
const settings = new URLSearchParams(location.hash.slice(1));
const chatId = settings.get("chat") ?? "my-chat";
const api = `${settings.get("gateway")}/ai-sdk/${settings.get("agent") ?? "main"}/chat`;
const chatUrl = `${api}/${encodeURIComponent(chatId)}`;
const headers = {
  authorization: `Bearer ${settings.get("token")}`,
  "x-dragoman-approvals": settings.get("approvals") ?? "false",
};

function Chat({ messages: stored }: { messages: UIMessage[] }) {
  const { messages, sendMessage, status, error, addToolApprovalResponse } = useChat({
    id: chatId,
    messages: stored,
    // An answer that is in progress continues to stream.
    resume: true,
    transport: new DefaultChatTransport({ api, headers }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const answer = (id: string, approved: boolean) => void addToolApprovalResponse({ id, approved });
  return (
    <main>
      <ol aria-label="Conversation">
        {messages.map(({ id, role, parts }) => (
          <li key={id} data-role={role}>
            {parts.map((part, index) => {
              const key = `${id}:${index}`;
              if (part.type === "text") return <p key={key}>{part.text}</p>;
              if (part.type === "reasoning") return <em key={key}>{part.text}</em>;
              return part.type === "dynamic-tool" ? (
                <ToolCall key={key} part={part} onAnswer={answer} />
              ) : null;
            })}
          </li>
        ))}
      </ol>
      <p role="status">{status}</p>
      {error && <p role="alert">{error.message}</p>}
      <form
        action={(form) => {
          void sendMessage({ text: String(form.get("text")) });
        }}
      >
        <input name="text" aria-label="Message" />
        <button type="submit">Send</button>
        {/* useChat's own stop() only disconnects: the gateway cannot tell it from a reload. */}
        <button type="button" onClick={() => void fetch(`${chatUrl}/stop`, { method: "POST", headers })}>
          Stop
        </button>
      </form>
    </main>
  );
}

interface ToolCallProps {
  part: DynamicToolUIPart;
  onAnswer(id: string, approved: boolean): void;
}

function ToolCall({ part, onAnswer }: ToolCallProps) {
  const { toolName, input, state } = part;
  return (
    <div>
      <code>{`${toolName} ${JSON.stringify(input)} ${state}`}</code>
      {part.state === "approval-requested" && (
        <>
          <button type="button" onClick={() => onAnswer(part.approval.id, true)}>
            Allow
          </button>
          <button type="button" onClick={() => onAnswer(part.approval.id, false)}>
            Deny
          </button>
        </>
      )}
    </div>
  );
}

const history = await fetch(chatUrl, { headers });
createRoot(document.getElementById("root") ?? document.body).render(<Chat messages={await history.json()} />);
