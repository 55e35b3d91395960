import { texts } from "../../text/texts.js";
import { Menu } from "../../theme/menu.js";
import { shortCount } from "../../transcript/numbers.js";
import { useConnected } from "../app-context.js";
import { useStore } from "../state/store.js";

/** The selected model, and the usable ones. */
export function ModelMenu({ model, onModel }: { model: string; onModel: (model: string) => void }) {
  const { app, welcome } = useConnected();
  const models = useStore(app.models);
  const items = models
    .filter(({ id, ready }) => ready || id === model)
    .map(({ id, contextWindow }) => ({
      label: id,
      ...(contextWindow === undefined ? {} : { detail: texts.chat.modelTokens(shortCount(contextWindow)) }),
      chosen: id === model,
      choose: () => onModel(id),
    }));
  return (
    <Menu
      label={texts.chat.model(model)}
      isPill
      items={items}
      disabled={welcome.scope !== "admin"}
      button={<span className="pill-text">{model}</span>}
    />
  );
}
