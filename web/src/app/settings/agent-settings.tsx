import { useState } from "react";
import { texts } from "../../text/texts.js";
import { Icon } from "../../theme/icon.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import { namesAt, type SettingProblem } from "../state/settings.js";
import { useStore } from "../state/store.js";
import { NameForm } from "./name-form.js";
import { SettingField } from "./setting-field.js";
import { useSettings } from "./settings-context.js";

const THINKING = ["off", "minimal", "low", "medium", "high"];

const RULE_EXAMPLE = '[{"tool": "exec", "pattern": "npm test*", "action": "allow"}]';
const SERVER_EXAMPLE = '{"files": {"command": "npx", "args": ["server-files"]}}';

/** The agents: their models, prompts, tools and permissions. */
export function AgentSettings() {
  const t = texts.settings.agents;
  const { app } = useConnected();
  const { store, settings } = useSettings();
  const agents = [...new Set(["main", ...namesAt(settings.config, ["agents"])])];
  const [open, setOpen] = useState("main");
  const change = (path: string[], value?: object): Promise<SettingProblem | undefined> =>
    store.save([{ path, ...(value === undefined ? {} : { value }) }]);
  return (
    <>
      {agents.map((id) => (
        <details
          key={id}
          className="settings-fold"
          open={id === open}
          onToggle={({ currentTarget }) => {
            if (currentTarget.open) setOpen(id);
          }}
        >
          <summary>
            <Icon name="chevron" /> {visible(id)}
          </summary>
          <AgentFields id={id} />
          {id !== "main" && (
            <button
              type="button"
              className="button"
              onClick={() => void change(["agents", id]).then((found) => app.notice.set(found?.text))}
            >
              {t.remove(visible(id))}
            </button>
          )}
        </details>
      ))}
      <NameForm
        button={t.add}
        label={t.name}
        hint={t.nameHint}
        onAdd={async (id) => {
          const found = await change(["agents", id], {});
          if (found === undefined) setOpen(id);
          return found?.text;
        }}
      />
    </>
  );
}

function AgentFields({ id }: { id: string }) {
  const t = texts.settings.agents;
  const { app } = useConnected();
  const models = useStore(app.models);
  const at = (name: string) => ["agents", id, name];
  return (
    <div className="settings-fields">
      <SettingField path={at("description")} label={t.description} />
      <SettingField
        path={at("model")}
        label={t.model}
        placeholder={t.defaultModel}
        options={models.filter(({ ready }) => ready).map((model) => model.id)}
        isOpen
      />
      <SettingField path={at("systemPrompt")} label={t.prompt} kind="long" placeholder={t.promptExample} />
      <SettingField path={at("thinking")} label={t.thinking} options={THINKING} placeholder={t.ownThinking} />
      <SettingField
        path={at("workspace")}
        label={t.workspace}
        placeholder={t.ownFolder}
        hint={t.workspaceHint}
      />
      <SettingField
        path={at("tools")}
        label={t.tools}
        kind="list"
        placeholder={t.allTools}
        hint={t.toolsHint}
      />
      <SettingField
        path={at("permissions")}
        label={t.permissions}
        kind="json"
        hint={t.permissionsHint(RULE_EXAMPLE)}
      />
      <SettingField
        path={at("mcpServers")}
        label={t.servers}
        kind="json"
        hint={t.serversHint(SERVER_EXAMPLE)}
      />
      <SettingField path={at("maxTurns")} label={t.maxTurns} kind="number" />
    </div>
  );
}
