import { type KeyboardEvent, useId, useState } from "react";
import { texts } from "../../text/texts.js";
import { Dialog } from "../../theme/dialog.js";
import { Icon } from "../../theme/icon.js";
import { clockOrDay } from "../../transcript/dates.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected, useOriginTitle } from "../app-context.js";
import { FilterBar } from "../sessions/filter-bar.js";
import { type Route, routeTo } from "../state/route.js";
import type { SessionFilter } from "../state/session-filter.js";
import { titleOf } from "../state/session-title.js";
import { useStore } from "../state/store.js";
import { useSearch, withoutMarks } from "./use-hits.js";
import "./search.css";

/** At most this many sessions are listed by title. */
const MAX_TITLES = 5;

interface SearchResult {
  key: string;
  route: Route;
  title: string;
  when: number;
  /** Who wrote the message. */
  who?: string;
  /** The program that the session is of. */
  source?: string;
  /** How many more matches the session has. */
  more?: number;
  snippet: readonly { text: string; match: boolean }[];
}

/** Full-text search over all messages; Enter opens the selected result. */
export function SearchDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title={texts.search.title} bare className="search" open={open} onClose={onClose}>
      <Search onClose={onClose} />
    </Dialog>
  );
}

function Search({ onClose }: { onClose: () => void }) {
  const { app } = useConnected();
  const { sessions } = useStore(app.list);
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const [filter, setFilter] = useState<SessionFilter>({});
  const { hits, status } = useSearch(query, filter);
  const id = useId();
  const programTitle = useOriginTitle();
  const roles = new Map(Object.entries(texts.search.roles));

  const found: SearchResult[] = [
    ...(Object.keys(filter).length > 0 ? [] : [...sessions.values()])
      .filter((session) => titleOf(session).toLowerCase().includes(query.trim().toLowerCase()))
      .sort((a, b) => (b.active ?? 0) - (a.active ?? 0))
      .slice(0, MAX_TITLES)
      .map((session) => ({
        key: session.id,
        route: { page: "session" as const, id: session.id },
        title: titleOf(session),
        when: session.active ?? 0,
        snippet: [],
      })),
    ...hits.map(({ session: id, source, message, position, timestamp, role, snippet, more, title }) => ({
      key: `${source}/${id}-${position}`,
      route: routeTo({ id, source }, message),
      title,
      ...(source === undefined ? {} : { source }),
      when: timestamp,
      who: roles.get(role) ?? role,
      snippet,
      ...(more === undefined ? {} : { more }),
    })),
  ];
  const at = Math.min(chosen, found.length - 1);

  const go = (route: Route) => {
    onClose();
    app.world.go(route);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const target = found[at];
    if (step !== undefined) setChosen((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter" && target !== undefined) go(target.route);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="search-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={texts.search.field}
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          placeholder={texts.search.field}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="search-filters">
        <FilterBar filter={filter} onFilter={setFilter} />
      </div>
      <div className="search-found" role="listbox" id={`${id}-list`} aria-label={texts.search.results}>
        {found.map(({ key, route, title, source, when, who, snippet, more }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          <div
            key={key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            ref={(row) => {
              if (index === at) row?.scrollIntoView({ block: "nearest" });
            }}
            onClick={() => go(route)}
            onMouseMove={() => setChosen(index)}
          >
            <span className="search-title">
              <bdi className="one-line">{title}</bdi>
              {source !== undefined && <span className="tag">{visible(programTitle(source))}</span>}
              {who !== undefined && <span className="search-who">{who}</span>}
              <time dateTime={new Date(when).toISOString()}>
                {when === 0 ? "" : clockOrDay(when, app.world.now())}
              </time>
            </span>
            {snippet.length > 0 && <Snippet parts={snippet} />}
            {more !== undefined && <span className="search-snippet">{texts.search.moreMatches(more)}</span>}
          </div>
        ))}
      </div>
      <p className="search-status" role="status">
        {status}
      </p>
    </>
  );
}

function Snippet({ parts }: { parts: SearchResult["snippet"] }) {
  return (
    <span className="search-snippet">
      {parts.map(({ text, match }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no other identity
        match ? <mark key={index}>{text}</mark> : <span key={index}>{withoutMarks(text)}</span>,
      )}
    </span>
  );
}
