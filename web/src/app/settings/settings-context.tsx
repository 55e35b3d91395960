import { createContext, type ReactNode, useContext } from "react";
import type { Settings, SettingsStore } from "../state/settings.js";

interface LoadedSettings {
  store: SettingsStore;
  settings: Settings;
}

const Context = createContext<LoadedSettings | undefined>(undefined);

export function SettingsProvider({ value, children }: { value: LoadedSettings; children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

export function useSettings(): LoadedSettings {
  const loaded = useContext(Context);
  if (loaded === undefined) throw new Error("useSettings is used outside of SettingsProvider");
  return loaded;
}
