import { useConnected, useMay } from "../app-context.js";
import { Icon } from "../controls/icon.js";
import { Menu } from "../controls/menu.js";
import { useStore } from "../state/store.js";
import { shortCount } from "../../transcript/numbers.js";

/** The model that answers, and those that could. */
export function ModelMenu({ model, onModel }: { model: string; onModel: (model: string) => void }) {
  const { app } = useConnected();
  const may = useMay();
  const models = useStore(app.models);
  const items = models
    .filter(({ id, ready }) => ready || id === model)
    .map(({ id, contextWindow }) => ({
      label: id,
      ...(contextWindow === undefined ? {} : { detail: `${shortCount(contextWindow)} tokens` }),
      isChosen: id === model,
      onChoose: () => onModel(id),
    }));
  return (
    <Menu label={`Model: ${model}`} className="pill" items={items} isDisabled={!may("sessions.model")}>
      <span className="pill-text">{model}</span> <Icon name="chevron" />
    </Menu>
  );
}
