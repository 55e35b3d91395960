import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { Icon, type IconName } from "./icon.js";

export interface MenuItem {
  label: string;
  icon?: IconName;
  /** Small text beside the label. */
  detail?: string;
  /** For radio items: whether this one is selected. */
  chosen?: boolean;
  choose(): void;
}

/** A button that opens a menu: arrow keys move in it; Esc or a click outside closes it. */
export function Menu({
  label,
  button,
  items,
  className = "button-quiet",
  isPill = false,
  disabled = false,
}: {
  label: string;
  button: ReactNode;
  items: readonly MenuItem[];
  className?: string;
  /** The button shows the current choice. */
  isPill?: boolean;
  disabled?: boolean;
}) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

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
    choices()[0]?.focus();
  };
  const choices = () => [...(menu.current?.querySelectorAll<HTMLButtonElement>("button") ?? [])];
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = choices();
    const at = all.findIndex((choice) => choice.matches(":focus"));
    all[(at + step + all.length) % all.length]?.focus();
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
        role="menu"
        aria-label={label}
        popover="auto"
        tabIndex={-1}
        onToggle={({ newState }) => newState === "open" && place()}
        onKeyDown={walk}
      >
        {items.map(({ label: text, icon, detail, chosen, choose }) => (
          <button
            key={text}
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
        ))}
      </div>
    </>
  );
}
