import { texts } from "../../text/texts.js";
import { Menu } from "../../theme/menu.js";
import { useConnected } from "../app-context.js";
import { useStore } from "../state/store.js";
import { modelItems } from "./model-items.js";

/** The selected model, and the others. */
export function ModelMenu({ model, onModel }: { model: string; onModel: (model: string) => void }) {
  const { app, welcome } = useConnected();
  const models = useStore(app.models);
  return (
    <Menu
      label={texts.chat.model(model)}
      isPill
      items={modelItems(models, model, onModel)}
      disabled={welcome.scope !== "admin"}
      button={<span className="pill-text">{model}</span>}
    />
  );
}
