import { texts } from "../../text/texts.js";

interface DialogEndProps {
  problem?: string | undefined;
  /** The button that leaves the dialog (default: Cancel). */
  leave?: string;
  onLeave(): void;
  /** The button that submits the form. */
  submit: string;
  isDisabled?: boolean;
}

/** The end of a dialog's form: what went wrong, and its buttons. */
export function DialogEnd({ problem, leave, onLeave, submit, isDisabled = false }: DialogEndProps) {
  return (
    <>
      {problem !== undefined && (
        <p className="setting-problem" role="alert">
          {problem}
        </p>
      )}
      <span className="dialog-buttons">
        <button type="button" className="button" onClick={onLeave}>
          {leave ?? texts.controls.cancel}
        </button>
        <button type="submit" className="button-primary" disabled={isDisabled}>
          {submit}
        </button>
      </span>
    </>
  );
}
