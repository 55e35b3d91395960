import { useRef, useState } from "react";
import { Menu } from "../../theme/menu.js";
import { useConnected, useMay } from "../app-context.js";
import { Composer } from "../chat/composer.js";
import { ModelMenu } from "../chat/model-menu.js";
import { NEW } from "../state/chat-app.js";
import { useStore } from "../state/store.js";
import "../chat/chat.css";

/** The field for the first message of a new session, and what answers it. */
export function StartChat() {
  const { app } = useConnected();
  const agents = useStore(app.agents);
  const [agentId, setAgent] = useState<string>();
  const [chosen, setModel] = useState<string>();
  const may = useMay();
  const hasKey = useStore(app.models).some(({ id, ready }) => ready && !isLocal(id));
  const isStarting = useRef(false);
  const agent = agents.find(({ id }) => id === agentId) ?? agents[0];
  const model = chosen ?? agent?.model;
  return (
    <section className="start-chat" aria-label="New chat">
      <Composer
        draft={{ text: app.world.drafts.of(NEW), attachments: [] }}
        onDraft={(text) => app.world.drafts.save(NEW, text)}
        onSend={async (content) => {
          // A second message belongs to the session that the first one starts.
          if (isStarting.current) return false;
          isStarting.current = true;
          const hasStarted = await app.attempt(() =>
            app.startChat(content, {
              ...(agent === undefined ? {} : { agent: agent.id }),
              ...(chosen === undefined ? {} : { model: chosen }),
            }),
          );
          isStarting.current = false;
          return hasStarted;
        }}
      />
      <p className="new-chat-choices">
        {agents.length > 1 && agent !== undefined && (
          <Menu
            label={`Agent: ${agent.id}`}
            isPill
            items={agents.map(({ id, description }) => ({
              label: id,
              detail: description,
              chosen: id === agent.id,
              choose: () => setAgent(id),
            }))}
            button={agent.id}
          />
        )}
        {model !== undefined && <ModelMenu model={model} onModel={setModel} />}
      </p>
      {model !== undefined && demoHints[model] !== undefined && (
        <p className="new-chat-hint">
          <code>{model}</code> {demoHints[model]}{" "}
          {may("config.set") && !hasKey && <a href="#/settings/models">Add a key</a>}
        </p>
      )}
    </section>
  );
}

/** Models that need no key: the demo ones, and those of servers on this computer. */
function isLocal(model: string): boolean {
  return model.startsWith("demo/") || model.startsWith("ollama/");
}

/** What the models that come with Dragoman do. They run locally and need no key. */
const demoHints: Readonly<Record<string, string>> = {
  "demo/echo": "is a demo model: it repeats your message.",
  "demo/script": "is a demo model: it follows the steps that you write, such as “say: hello”.",
  "demo/tools": "is a demo model: it calls a tool and reports the result.",
};
