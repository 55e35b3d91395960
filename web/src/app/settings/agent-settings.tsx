import { useState } from "react";
import { Icon } from "../../theme/icon.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import { namesAt, type SettingProblem } from "../state/settings.js";
import { useStore } from "../state/store.js";
import { NameForm } from "./name-form.js";
import { SettingField } from "./setting-field.js";
import { useSettings } from "./settings-context.js";

const THINKING = ["off", "minimal", "low", "medium", "high"];

/** The agents: their models, prompts, tools and permissions. */
export function AgentSettings() {
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
              Remove {visible(id)}
            </button>
          )}
        </details>
      ))}
      <NameForm
        button="Add an agent…"
        label="Name of the agent"
        hint="Letters, digits, “-” and “_”."
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
  const { app } = useConnected();
  const models = useStore(app.models);
  const at = (name: string) => ["agents", id, name];
  return (
    <div className="settings-fields">
      <SettingField path={at("description")} label="What it is good for" />
      <SettingField
        path={at("model")}
        label="Model"
        placeholder="The default model"
        options={models.filter(({ ready }) => ready).map((model) => model.id)}
        isOpen
      />
      <SettingField
        path={at("systemPrompt")}
        label="Prompt"
        kind="long"
        placeholder="You are a helpful assistant…"
      />
      <SettingField path={at("thinking")} label="Thinking" options={THINKING} placeholder="The model's own" />
      <SettingField
        path={at("workspace")}
        label="Workspace"
        placeholder="Its own folder"
        hint="The folder its tools work in."
      />
      <SettingField
        path={at("tools")}
        label="Tools"
        kind="list"
        placeholder="All"
        hint="One in each line; server/tool for those of MCP servers."
      />
      <SettingField
        path={at("permissions")}
        label="Permissions"
        kind="json"
        hint='The first rule that matches applies, such as [{"tool": "exec", "pattern": "npm test*", "action": "allow"}].'
      />
      <SettingField
        path={at("mcpServers")}
        label="MCP servers"
        kind="json"
        hint='By name, such as {"files": {"command": "npx", "args": ["server-files"]}}.'
      />
      <SettingField path={at("maxTurns")} label="Most turns in a run" kind="number" />
    </div>
  );
}
