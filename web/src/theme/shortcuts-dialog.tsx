import { texts } from "../text/texts.js";
import { Dialog } from "./dialog.js";

/** The keys, and what they do. */
export type Shortcuts = readonly (readonly [keys: readonly string[], meaning: string])[];

interface ShortcutsDialogProps {
  shortcuts: Shortcuts;
  open: boolean;
  onClose: () => void;
}

export function ShortcutsDialog({ shortcuts, open, onClose }: ShortcutsDialogProps) {
  return (
    <Dialog title={texts.shell.shortcuts.title} hasClose open={open} onClose={onClose}>
      <dl className="shortcuts">
        {shortcuts.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
