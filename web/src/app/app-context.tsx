import type { DragomanClient } from "dragoman/client";
import { createContext, type ReactNode, useContext } from "react";
import type { ChatApp } from "./state/chat-app.js";
import type { Welcome } from "./state/gateway-link.js";

/** What every part of the page works with while there is a gateway. */
interface Connected {
  app: ChatApp;
  client: DragomanClient;
  welcome: Welcome;
}

const Context = createContext<Connected | undefined>(undefined);

export function ConnectedProvider({ value, children }: { value: Connected; children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

export function useConnected(): Connected {
  const connected = useContext(Context);
  if (connected === undefined) throw new Error("This part of the page needs a gateway.");
  return connected;
}

/** Whether the token allows a method: what is not allowed is not offered. */
export function useMay(): (method: string) => boolean {
  const { methods } = useConnected().welcome;
  return (method) => methods.includes(method);
}
