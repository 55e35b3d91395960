import { Icon } from "../../theme/icon.js";
import { Menu } from "../../theme/menu.js";
import type { SendMode } from "../state/chat-session.js";

const modes: Record<SendMode, { label: string; detail: string }> = {
  steer: { label: "Steer", detail: "read after the current step" },
  followup: { label: "Afterwards", detail: "answered when this is done" },
  collect: { label: "Collect", detail: "all that wait become one message" },
  interrupt: { label: "Interrupt", detail: "stops this, and is answered at once" },
};
const names: readonly SendMode[] = ["steer", "followup", "collect", "interrupt"];

/** What becomes of a message that is sent while the agent works. */
export function ModeMenu({ mode, onMode }: { mode: SendMode; onMode: (mode: SendMode) => void }) {
  return (
    <Menu
      label={`While the agent works: ${modes[mode].label}`}
      className="pill"
      items={names.map((name) => ({
        ...modes[name],
        chosen: name === mode,
        choose: () => onMode(name),
      }))}
      button={
        <>
          {modes[mode].label} <Icon name="chevron" />
        </>
      }
    />
  );
}
