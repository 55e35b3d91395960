import { texts } from "../text/texts.js";
import { Dialog } from "../theme/dialog.js";
import { shortcutList } from "./shortcuts.js";

export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title={texts.shell.shortcuts.title} open={open} onClose={onClose}>
      <dl className="shortcuts">
        {shortcutList().map(([keys, meaning]) => (
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
