import { type ReactNode, useEffect, useRef } from "react";
import { texts } from "../text/texts.js";
import { IconButton } from "./icon-button.js";

export interface DialogProps {
  title: string;
  open: boolean;
  /** The title is only for screen readers. */
  bare?: boolean;
  /** It has no button of its own that closes it. */
  hasClose?: boolean;
  className?: string;
  onClose(): void;
  children: ReactNode;
}

/** The browser's modal dialog: it traps the focus; Esc or a click outside closes it. */
export function Dialog({
  title,
  open,
  bare = false,
  hasClose = false,
  className = "",
  onClose,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open === open) return;
    if (open) dialog.showModal();
    else dialog.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does the same
    <dialog
      ref={ref}
      className={`dialog ${className}`}
      aria-label={title}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      {open && (
        <>
          <h2 className={bare ? "visually-hidden" : undefined}>{title}</h2>
          {hasClose && (
            <IconButton
              icon="close"
              label={texts.controls.close}
              className="dialog-close"
              onClick={onClose}
            />
          )}
          {children}
        </>
      )}
    </dialog>
  );
}
