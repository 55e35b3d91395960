import { texts } from "../../text/texts.js";
import { Menu } from "../../theme/menu.js";
import type { SendMode } from "../state/chat-session.js";

const names: readonly SendMode[] = ["steer", "followup", "collect", "interrupt"];

/** When the agent reads a message that is sent while it works. */
export function ModeMenu({ mode, onMode }: { mode: SendMode; onMode: (mode: SendMode) => void }) {
  const { modes, modeLabel } = texts.chat;
  return (
    <Menu
      label={modeLabel(modes[mode].label)}
      isPill
      items={names.map((name) => ({ ...modes[name], chosen: name === mode, choose: () => onMode(name) }))}
      button={modes[mode].label}
    />
  );
}
