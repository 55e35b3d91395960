import { useState } from "react";
import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";

/** Offers notifications while they are off. */
export function NotifyButton() {
  const { notifications } = useConnected().app.world;
  const [state, setState] = useState(notifications.state);
  if (state !== "off") return null;
  return (
    <button
      type="button"
      className="link-button"
      onClick={() => void notifications.turnOn().then(() => setState(notifications.state))}
    >
      {texts.home.notifyMe}
    </button>
  );
}
