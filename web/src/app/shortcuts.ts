import { texts } from "../text/texts.js";
import type { Shortcuts } from "../theme/shortcuts-dialog.js";
import { isTyping } from "../theme/use-key-down.js";

export type Shortcut = "search" | "new" | "shortcuts";

/** The global shortcut of a key press. Letters are shortcuts only outside of input fields. */
export function shortcutOf(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "target">,
): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") return "search";
  if (ctrlKey || metaKey || altKey || isTyping(target) || isInDialog(target)) return undefined;
  return key === "n" ? "new" : key === "?" ? "shortcuts" : undefined;
}

export function isInDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("dialog, [popover]") !== null;
}

/** The list shown in the shortcuts dialog. */
export function shortcutList(): Shortcuts {
  const t = texts.shell.shortcuts;
  const { ctrl, enter, shift, esc, alt } = t.keys;
  return [
    [[ctrl, "K"], t.search],
    [["N"], t.newChat],
    [[enter], t.send],
    [[shift, enter], t.newLine],
    [["↑"], t.editLast],
    [[esc], t.stop],
    [[alt, "Y"], t.allowOnce],
    [[alt, "A"], t.allowSession],
    [[alt, "N"], t.deny],
    [["?"], t.showList],
  ];
}
