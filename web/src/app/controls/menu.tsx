import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { Icon, type IconName } from "./icon.js";

export interface MenuItem {
  label: string;
  icon?: IconName;
  /** In small letters beside it. */
  detail?: string;
  isChosen?: boolean;
  isDisabled?: boolean;
  onChoose(): void;
}

interface MenuProps {
  label: string;
  className?: string;
  /** What the button shows. */
  children: ReactNode;
  items: readonly MenuItem[];
  isDisabled?: boolean;
}

const GAP = 4;
const EDGE = 8;

/** A button with a list of things to do. The list is in the top layer, so that nothing that scrolls cuts it off. */
export function Menu({ label, className = "icon-button", children, items, isDisabled = false }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);

  const choose = ({ onChoose }: MenuItem) => {
    list.current?.hidePopover();
    onChoose();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        disabled={isDisabled}
      >
        {children}
      </button>
      <div
        ref={list}
        id={id}
        className="menu"
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={(event) => move(event, list.current)}
        onToggle={(event) => {
          const opens = event.newState === "open";
          setOpen(opens);
          if (opens && list.current !== null && button.current !== null) {
            place(list.current, button.current.getBoundingClientRect());
            itemsIn(list.current)[0]?.focus();
          }
        }}
      >
        {isOpen &&
          items.map((item) => (
            <button
              key={item.label}
              type="button"
              role={item.isChosen === undefined ? "menuitem" : "menuitemradio"}
              aria-checked={item.isChosen}
              disabled={item.isDisabled}
              tabIndex={-1}
              onClick={() => choose(item)}
            >
              {item.icon !== undefined && <Icon name={item.icon} />}
              <span className="menu-label">{item.label}</span>
              {item.detail !== undefined && <span className="menu-detail">{item.detail}</span>}
              {item.isChosen === true && <Icon name="check" />}
            </button>
          ))}
      </div>
    </>
  );
}

function itemsIn(list: HTMLElement): HTMLButtonElement[] {
  return [...list.querySelectorAll("button")].filter(({ disabled }) => !disabled);
}

/** Below its button, or above it where there is no room; never outside of the window. */
function place(list: HTMLElement, anchor: DOMRect): void {
  const { width, height } = list.getBoundingClientRect();
  const below = anchor.bottom + GAP;
  const top = below + height > innerHeight - EDGE ? Math.max(EDGE, anchor.top - GAP - height) : below;
  const left = Math.max(EDGE, Math.min(anchor.left, innerWidth - width - EDGE));
  list.style.setProperty("--menu-top", `${top}px`);
  list.style.setProperty("--menu-left", `${left}px`);
}

function move(event: KeyboardEvent, list: HTMLElement | null): void {
  if (list === null) return;
  const items = itemsIn(list);
  const at = items.findIndex((item) => item === document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}
