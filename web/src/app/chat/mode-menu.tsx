import { Menu } from "../../theme/menu.js";
import type { SendMode } from "../state/chat-session.js";

const modes: Record<SendMode, { label: string; detail: string }> = {
  steer: { label: "Steer", detail: "read after the current step" },
  followup: { label: "Afterwards", detail: "answer this after the current run" },
  collect: { label: "Collect", detail: "merge everything queued into one message" },
  interrupt: { label: "Interrupt", detail: "stop the current run and answer this now" },
};
const names: readonly SendMode[] = ["steer", "followup", "collect", "interrupt"];

/** When the agent reads a message that is sent while it works. */
export function ModeMenu({ mode, onMode }: { mode: SendMode; onMode: (mode: SendMode) => void }) {
  return (
    <Menu
      label={`While the agent works: ${modes[mode].label}`}
      isPill
      items={names.map((name) => ({ ...modes[name], chosen: name === mode, choose: () => onMode(name) }))}
      button={modes[mode].label}
    />
  );
}
