import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./icon-button.js";

interface DialogProps {
  title: string;
  /** The title is for those who cannot see that there is no need of one. */
  isBare?: boolean;
  className?: string;
  onClose(): void;
  children: ReactNode;
}

/** Over the rest of the page, which cannot be reached meanwhile. Escape and a click beside it close it. */
export function Dialog({ title, isBare = false, className = "", onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, and the browser brings it
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="dialog-box">
        <header className={isBare ? "visually-hidden" : "dialog-head"}>
          <h2 id={heading}>{title}</h2>
          {!isBare && <IconButton icon="close" label="Close" onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}
