import { useRef, useState } from "react";
import { IconButton } from "../../theme/icon-button.js";
import { Menu } from "../../theme/menu.js";
import { useConnected, useMay } from "../app-context.js";
import { NEW } from "../state/chat-app.js";
import { useStore } from "../state/store.js";
import { Composer } from "./composer.js";
import { MissingServers } from "./missing-servers.js";
import { ModelMenu } from "./model-menu.js";
import "./chat.css";

export function NewChat({ onOpenDrawer }: { onOpenDrawer: () => void }) {
  const { app } = useConnected();
  const may = useMay();
  const agents = useStore(app.agents);
  const [agentId, setAgent] = useState<string>();
  const [chosen, setModel] = useState<string>();
  const isStarting = useRef(false);
  const agent = agents.find(({ id }) => id === agentId) ?? agents[0];
  const model = chosen ?? agent?.model;
  return (
    <>
      <header className="chat-head">
        <IconButton icon="menu" label="Open the side bar" className="drawer-only" onClick={onOpenDrawer} />
      </header>
      <div className="new-chat">
        <h1>How can I help?</h1>
        {agent !== undefined && <MissingServers agent={agent.id} />}
        {may("sessions.create") ? (
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
        ) : (
          <p className="chat-read-only">This token only allows reading.</p>
        )}
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
        {model?.startsWith("demo/") === true && (
          <p className="new-chat-hint">
            <code>{model}</code> is a demo model: it runs locally, needs no key and repeats your message.
            Choose another model with <code>dragoman serve --model</code>.
          </p>
        )}
      </div>
    </>
  );
}
