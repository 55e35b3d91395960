import type { ReactNode } from "react";
import { texts } from "../text/texts.js";
import { IconButton } from "../theme/icon-button.js";
import { useFrame } from "./frame-context.js";

interface PageHeaderProps {
  /** A text, or an element of its own. */
  title?: ReactNode;
  /** Beside the title. */
  note?: ReactNode;
  children?: ReactNode;
}

/** The top of a page: the button for the side bar, the title, and what the page offers. */
export function PageHeader({ title, note, children }: PageHeaderProps) {
  const { openSideBar } = useFrame();
  return (
    <header className="chat-head">
      <IconButton
        icon="menu"
        label={texts.shell.openSideBar}
        className="side-bar-opener"
        onClick={openSideBar}
      />
      <div className="chat-title">
        {typeof title === "string" ? (
          <h1 className="one-line">
            <bdi>{title}</bdi>
          </h1>
        ) : (
          title
        )}
        {note}
      </div>
      {children}
    </header>
  );
}
