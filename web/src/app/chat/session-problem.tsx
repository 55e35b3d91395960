import { texts } from "../../text/texts.js";
import "./chat.css";

/** Shown in place of a session that cannot be opened. `hasHome`: the reader has other pages to go to. */
export function SessionProblem({ problem, hasHome = true }: { problem: string; hasHome?: boolean }) {
  return (
    <div className="chat-problem" role="alert">
      <p>{texts.chat.cannotOpen(problem)}</p>
      {hasHome && (
        <p>
          <a href="#/">{texts.chat.backToStart}</a>
        </p>
      )}
    </div>
  );
}
