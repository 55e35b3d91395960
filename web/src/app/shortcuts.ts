import { texts } from "../text/texts.js";
import type { Shortcuts } from "../theme/shortcuts-dialog.js";
import { isTyping } from "../theme/use-key-down.js";

export type Shortcut = "search" | "new" | "shortcuts" | "sideBar";

/** The global shortcut of a key press. Letters are shortcuts only outside of input fields. */
export function shortcutOf(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "target">,
): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if ((ctrlKey || metaKey) && !altKey) {
    const letter = key.toLowerCase();
    if (shiftKey) return letter === "o" ? "new" : undefined;
    return letter === "k" ? "search" : letter === "b" ? "sideBar" : undefined;
  }
  if (ctrlKey || metaKey || altKey || isTyping(target) || isInDialog(target)) return undefined;
  return key === "n" ? "new" : key === "?" ? "shortcuts" : undefined;
}

export function isInDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("dialog, [popover]") !== null;
}

/** The names of keys, as this computer's keyboard has them. */
export function keyNames(): typeof texts.shell.shortcuts.keys {
  const { keys } = texts.shell.shortcuts;
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  return isMac ? { ctrl: "⌘", enter: "↩", shift: "⇧", esc: "esc", alt: "⌥" } : keys;
}

/** The list shown in the shortcuts dialog. */
export function shortcutList(): Shortcuts {
  const t = texts.shell.shortcuts;
  const { ctrl, enter, shift, esc, alt } = keyNames();
  return [
    [[ctrl, "K"], t.search],
    [[ctrl, shift, "O"], t.newChat],
    [["N"], t.newChatOutside],
    [[ctrl, "B"], t.sideBar],
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
