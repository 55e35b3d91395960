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
export const shortcuts: Shortcuts = [
  [["Ctrl", "K"], "Search"],
  [["N"], "New chat"],
  [["Enter"], "Send"],
  [["Shift", "Enter"], "New line"],
  [["↑"], "Edit your last message (in an empty field)"],
  [["Esc"], "Stop the answer, close a dialog"],
  [["Alt", "Y"], "Allow once"],
  [["Alt", "A"], "Allow for this session"],
  [["Alt", "N"], "Deny"],
  [["?"], "Show this list"],
];
