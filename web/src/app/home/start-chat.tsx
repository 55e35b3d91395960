import { useRef, useState } from "react";
import { texts } from "../../text/texts.js";
import { Menu } from "../../theme/menu.js";
import { useConnected, useMay } from "../app-context.js";
import { Composer } from "../chat/composer.js";
import { MissingServers } from "../chat/missing-servers.js";
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
  const models = useStore(app.models);
  const hasKey = models.some(({ ready, needsKey }) => ready && needsKey);
  const isStarting = useRef(false);
  const agent = agents.find(({ id }) => id === agentId) ?? agents[0];
  const model = chosen ?? agent?.model;
  const demo = model === undefined ? undefined : demoText(model);
  return (
    <section className="start-chat" aria-label={texts.home.newChat}>
      {agent !== undefined && <MissingServers agent={agent.id} />}
      <Composer
        draft={{ text: app.world.drafts.of(NEW), attachments: [] }}
        model={model}
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
            label={texts.home.agent(agent.id)}
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
      {demo !== undefined && (
        <p className="new-chat-hint">
          {demo} {may("config.set") && !hasKey && <a href="#/settings/models">{texts.home.addKey}</a>}
        </p>
      )}
    </section>
  );
}

/** What a demo model does, which is not what people expect of a model. */
function demoText(model: string): string | undefined {
  return new Map(Object.entries(texts.home.demoModels)).get(model);
}
