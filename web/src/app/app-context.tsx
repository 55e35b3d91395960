import type { DragomanClient } from "dragoman/client";
import { createContext, type ReactNode, useContext } from "react";
import type { ChatApp } from "./state/chat-app.js";
import type { Welcome } from "./state/gateway-link.js";
import { useStore } from "./state/store.js";

/** What components use while the page is connected to a gateway. */
interface Connected {
  app: ChatApp;
  client: DragomanClient;
  welcome: Welcome;
  /** Whether the connection is lost at the moment. */
  isLost: boolean;
}

const Context = createContext<Connected | undefined>(undefined);

export function ConnectedProvider({ value, children }: { value: Connected; children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

export function useConnected(): Connected {
  const connected = useContext(Context);
  if (connected === undefined) throw new Error("useConnected is used outside of ConnectedProvider");
  return connected;
}

/** Returns the title of a chat platform or program by its name; without a title, the name. */
export function useOriginTitle(): (name: string) => string {
  const titles = useStore(useConnected().app.originTitles);
  return (name) => titles.get(name) ?? name;
}

/** Tells whether the token allows a method. The page offers only what is allowed. */
export function useMay(): (method: string) => boolean {
  const { methods } = useConnected().welcome;
  return (method) => methods.includes(method);
}
