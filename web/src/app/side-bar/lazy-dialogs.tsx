import type { RpcSessionInfo } from "dragoman/client";
import { type ComponentType, lazy, Suspense } from "react";

/** A dialog about a session. */
export interface SessionDialogProps {
  session: RpcSessionInfo;
  onClose(): void;
}

/** A dialog that is loaded when it is opened. */
function loadedDialog(load: () => Promise<ComponentType<SessionDialogProps>>) {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function LoadedDialog({ open, ...props }: SessionDialogProps & { open: boolean }) {
    if (!open) return null;
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    );
  };
}

export const ContinueDialog = loadedDialog(async () => (await import("./continue-dialog.js")).ContinueDialog);
export const ExportDialog = loadedDialog(async () => (await import("./export-dialog.js")).ExportDialog);
export const ShareDialog = loadedDialog(async () => (await import("./share-dialog.js")).ShareDialog);
