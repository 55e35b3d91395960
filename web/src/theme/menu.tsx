import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

export interface MenuItem {
  label: string;
  danger?: boolean;
  disabled?: boolean;
  choose(): void;
}

/** A button that opens a menu: arrows walk it, Esc and a click beside it close it. */
export function Menu({
  label,
  button,
  items,
}: {
  label: string;
  button: ReactNode;
  items: readonly MenuItem[];
}) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  const place = () => {
    const [list, anchor] = [menu.current, opener.current?.getBoundingClientRect()];
    if (list === null || anchor === undefined) return;
    const { offsetWidth: width, offsetHeight: height } = list;
    const below = anchor.bottom + height < window.innerHeight;
    list.style.inset = "auto";
    list.style.left = `${Math.max(8, Math.min(anchor.left, window.innerWidth - width - 8))}px`;
    list.style.top = `${below ? anchor.bottom + 4 : Math.max(8, anchor.top - height - 4)}px`;
    choices()[0]?.focus();
  };
  const choices = () => [
    ...(menu.current?.querySelectorAll<HTMLButtonElement>("button:not(:disabled)") ?? []),
  ];
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
        className="button-quiet"
        aria-label={label}
        aria-haspopup="menu"
        popoverTarget={id}
      >
        {button}
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
        {items.map(({ label: text, danger = false, disabled = false, choose }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            className="menu-item"
            data-danger={danger}
            disabled={disabled}
            onClick={() => {
              menu.current?.hidePopover();
              choose();
            }}
          >
            {text}
          </button>
        ))}
      </div>
    </>
  );
}
