import { useEffect, useMemo, useRef, useState } from "react";
import { texts } from "../../text/texts.js";
import { Icon } from "../../theme/icon.js";
import { IconButton } from "../../theme/icon-button.js";
import { useConnected, useMay } from "../app-context.js";
import { keyNames } from "../shortcuts.js";
import { groupsOf } from "../state/session-groups.js";
import { useStore } from "../state/store.js";
import { SessionRow } from "./session-row.js";
import "./side-bar.css";
import { SideBarEdge } from "./side-bar-edge.js";
import { ThemeSwitch } from "./theme-switch.js";

interface SideBarProps {
  /** On narrow pages the side bar is a drawer. */
  isDrawerOpen: boolean;
  onClose(): void;
  onSearch(): void;
  onShortcuts(): void;
}

export function SideBar({ isDrawerOpen, onClose, onSearch, onShortcuts }: SideBarProps) {
  const t = texts.sideBar;
  const { app } = useConnected();
  const may = useMay();
  const list = useStore(app.list);
  const route = useStore(app.world.route);
  const [archived, setArchived] = useState(false);
  const groups = useMemo(
    () => groupsOf(list, { archived, now: app.world.now() }),
    [list, archived, app.world.now],
  );
  const openSession = route.page === "session" ? list.sessions.get(route.id) : undefined;
  const isElsewhere = route.page !== "session" || openSession?.archived === false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another page leaves the archive
  useEffect(() => {
    if (isElsewhere) setArchived(false);
  }, [route]);
  const closer = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isDrawerOpen) closer.current?.focus();
  }, [isDrawerOpen]);
  const current = route.page === "session" ? route.id : undefined;

  return (
    <>
      {isDrawerOpen && (
        <button type="button" className="drawer-shade" aria-label={t.close} onClick={onClose} />
      )}
      <nav
        className="side-bar"
        data-open={isDrawerOpen}
        aria-label={t.sessions}
        onKeyDown={({ key }) => {
          if (key === "Escape" && isDrawerOpen) onClose();
        }}
      >
        <header>
          <span className="brand">Dragoman</span>
          <IconButton
            ref={closer}
            icon="close"
            label={t.close}
            className="side-bar-closer"
            onClick={onClose}
          />
        </header>
        <a className="side-action" href="#/" aria-current={route.page === "new" ? "page" : undefined}>
          <Icon name="add" /> {may("sessions.create") ? t.newChat : t.home} <kbd>N</kbd>
        </a>
        <button type="button" className="side-action" onClick={onSearch}>
          <Icon name="search" /> {t.search} <kbd>{keyNames().ctrl} K</kbd>
        </button>
        <a
          className="side-action"
          href="#/sessions"
          aria-current={route.page === "sessions" ? "page" : undefined}
        >
          <Icon name="list" /> {t.allPrograms}
        </a>
        {may("usage.list") && (
          <a
            className="side-action"
            href="#/usage"
            aria-current={route.page === "usage" ? "page" : undefined}
          >
            <Icon name="chart" /> {t.usage}
          </a>
        )}
        {may("config.get") && (
          <a
            className="side-action"
            href="#/settings/models"
            aria-current={route.page === "settings" ? "page" : undefined}
          >
            <Icon name="settings" /> {t.settings}
          </a>
        )}
        <div className="side-scroller">
          {archived && (
            <p className="side-archive">
              <strong>{t.archivedSessions}</strong>
              <button type="button" className="link-button" onClick={() => setArchived(false)}>
                {t.back}
              </button>
            </p>
          )}
          {groups.map(({ title, nodes }) => (
            <section key={title} aria-label={title}>
              <h2>{title}</h2>
              <ul>
                {nodes.map((node) => (
                  <SessionRow key={node.session.id} node={node} current={current} />
                ))}
              </ul>
            </section>
          ))}
          {list.isLoaded && groups.length === 0 && (
            <p className="side-empty">{archived ? t.noArchived : t.noSessions}</p>
          )}
          {list.next !== undefined && (
            <button
              type="button"
              className="side-more"
              onClick={() => void app.attempt(() => app.listMore())}
            >
              {t.showOlder}
            </button>
          )}
        </div>
        <footer>
          <button
            type="button"
            className="side-action"
            aria-pressed={archived}
            onClick={() => setArchived(!archived)}
          >
            <Icon name="archive" /> {archived ? t.notArchived : t.archived}
          </button>
          <span className="side-tools">
            <ThemeSwitch />
            <IconButton icon="help" label={texts.shell.shortcuts.title} onClick={onShortcuts} />
          </span>
        </footer>
        <SideBarEdge />
      </nav>
    </>
  );
}
