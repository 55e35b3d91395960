import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { texts } from "../text/texts.js";
import { Icon, type IconName } from "./icon.js";

export interface MenuItem {
  label: string;
  /** Distinguishes items with the same label (default: the label). */
  key?: string;
  icon?: IconName;
  /** Small text beside the label. */
  detail?: string;
  /** For radio items: whether this one is selected. */
  chosen?: boolean;
  /** It is shown, but cannot be chosen. */
  disabled?: boolean;
  choose(): void;
}

/** Longer menus have a field that filters them. */
const FILTERED_FROM = 12;
/** Letters typed within this time are one word. */
const TYPING_MS = 700;

/**
 * A button that opens a menu: arrow keys move in it, letters move to the next item that begins with them; Esc or a click outside
 * closes it. A long menu has a field that filters it.
 */
export function Menu({
  label,
  button,
  items,
  className = "button-quiet",
  isPill = false,
  isActive = false,
  disabled = false,
}: {
  label: string;
  button: ReactNode;
  items: readonly MenuItem[];
  className?: string;
  /** The button shows the current choice. */
  isPill?: boolean;
  /** The choice differs from the usual one. */
  isActive?: boolean;
  disabled?: boolean;
}) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const typed = useRef({ word: "", at: 0 });
  const [filter, setFilter] = useState("");
  // A list of sessions has a menu for each: only an open one has items.
  const [isOpen, setOpen] = useState(false);
  const isFiltered = items.length >= FILTERED_FROM;
  const wanted = filter.trim().toLowerCase();
  const shown = isOpen ? items.filter(({ label: text }) => text.toLowerCase().includes(wanted)) : [];

  const place = () => {
    const [list, anchor] = [menu.current, opener.current?.getBoundingClientRect()];
    if (list === null || anchor === undefined) return;
    // On the larger side of its button, so that it never covers it; a long menu scrolls.
    const [above, below] = [anchor.top - 12, window.innerHeight - anchor.bottom - 12];
    const isBelow = below >= Math.min(list.scrollHeight + 2, above);
    list.style.inset = "auto";
    list.style.maxHeight = `${isBelow ? below : above}px`;
    const { offsetWidth: width, offsetHeight: height } = list;
    list.style.left = `${Math.max(8, Math.min(anchor.left, window.innerWidth - width - 8))}px`;
    list.style.top = `${isBelow ? anchor.bottom + 4 : anchor.top - height - 4}px`;
    (list.querySelector<HTMLElement>("input") ?? choices()[0])?.focus();
  };
  const choices = () => [
    ...(menu.current?.querySelectorAll<HTMLElement>("input, button:not(:disabled)") ?? []),
  ];
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = choices();
    if (step !== undefined) {
      event.preventDefault();
      const at = all.findIndex((choice) => choice.matches(":focus"));
      all[(at + step + all.length) % all.length]?.focus();
      return;
    }
    if (event.target instanceof HTMLInputElement) {
      const only = all.find((choice) => choice instanceof HTMLButtonElement);
      if (event.key === "Enter") only?.click();
      return;
    }
    if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) return;
    const isSameWord = event.timeStamp - typed.current.at < TYPING_MS;
    const word = (isSameWord ? typed.current.word : "") + event.key.toLowerCase();
    typed.current = { word, at: event.timeStamp };
    all.find((choice) => choice.textContent.trim().toLowerCase().startsWith(word))?.focus();
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={isPill ? "pill" : className}
        aria-label={label}
        title={label}
        disabled={disabled}
        data-active={isActive}
        aria-haspopup="menu"
        popoverTarget={id}
      >
        {button}
        {isPill && <Icon name="chevron" />}
      </button>
      <div
        ref={menu}
        id={id}
        className="menu"
        popover="auto"
        tabIndex={-1}
        onBeforeToggle={({ newState }) => {
          if (newState === "open") flushSync(() => setOpen(true));
        }}
        onToggle={({ newState }) => {
          if (newState === "open") return place();
          setOpen(false);
          setFilter("");
        }}
      >
        {isFiltered && (
          <input
            type="search"
            className="menu-filter"
            aria-label={texts.controls.filter}
            placeholder={texts.controls.filter}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            onKeyDown={walk}
          />
        )}
        <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={walk}>
          {shown.map(
            ({ label: text, key = text, icon, detail, chosen, disabled: isDisabled = false, choose }) => (
              <button
                key={key}
                disabled={isDisabled}
                type="button"
                {...(chosen === undefined
                  ? { role: "menuitem" }
                  : { role: "menuitemradio", "aria-checked": chosen })}
                className="menu-item"
                onClick={(event) => {
                  // The second click of a double click on the button is not a choice.
                  if (event.detail > 1) return;
                  menu.current?.hidePopover();
                  choose();
                }}
              >
                {icon !== undefined && <Icon name={icon} />}
                <span className="menu-label">{text}</span>
                {detail !== undefined && <span className="menu-detail">{detail}</span>}
                {chosen === true && <Icon name="check" />}
              </button>
            ),
          )}
        </div>
      </div>
    </>
  );
}
