import { CopilotKitCore, CopilotKitCoreRuntimeConnectionStatus } from "@copilotkit/core";
import { useReducer } from "react";
import { createRoot } from "react-dom/client";

/** `#gateway=http://127.0.0.1:18800&token=TOKEN&agent=main&thread=my-thread` */
const settings = new URLSearchParams(location.hash.slice(1));
const core = new CopilotKitCore({
  runtimeUrl: `${settings.get("gateway")}/ag-ui`,
  headers: { authorization: `Bearer ${settings.get("token")}` },
});

async function connectAgent() {
  await new Promise<void>((resolve) => {
    const onRuntimeConnectionStatusChanged = () => {
      if (core.runtimeConnectionStatus === CopilotKitCoreRuntimeConnectionStatus.Connected) resolve();
    };
    core.subscribe({ onRuntimeConnectionStatusChanged });
    onRuntimeConnectionStatusChanged();
  });
  const agent = core.getAgent(settings.get("agent") ?? "main");
  if (agent === undefined) throw new Error("the gateway has no such agent");
  agent.threadId = settings.get("thread") ?? "my-thread";
  return agent;
}

const agent = await connectAgent();

function Chat() {
  const [, render] = useReducer((count: number) => count + 1, 0);
  subscription.onChange = render;
  const send = (text: string) => {
    agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
    void core.runAgent({ agent });
  };
  return (
    <main>
      <ol aria-label="Conversation">
        {agent.messages.map((message) => (
          <li key={message.id} data-role={message.role}>
            {typeof message.content === "string" && <p>{message.content}</p>}
            {message.role === "assistant" &&
              message.toolCalls?.map((call) => (
                <code key={call.id}>{`${call.function.name} ${call.function.arguments}`}</code>
              ))}
          </li>
        ))}
      </ol>
      <p role="status">{agent.isRunning ? "running" : "ready"}</p>
      <form action={(form) => send(String(form.get("text")))}>
        <input name="text" aria-label="Message" />
        <button type="submit">Send</button>
        <button type="button" onClick={() => core.stopAgent({ agent })}>
          Stop
        </button>
      </form>
    </main>
  );
}

const subscription = { onChange: () => {} };
const onChange = () => subscription.onChange();
agent.subscribe({
  onMessagesChanged: onChange,
  onRunInitialized: onChange,
  onRunFinalized: onChange,
  onRunFailed: onChange,
});
createRoot(document.getElementById("root") ?? document.body).render(<Chat />);
// The thread so far, and the rest of an answer that is in progress.
await core.connectAgent({ agent });
