import type { RpcSessionInfo } from "dragoman/client";
import { useEffect, useState } from "react";
import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";
import { SessionLinks } from "../home/session-links.js";
import { PageHeader } from "../page-header.js";
import { errorText } from "../state/plain-words.js";
import { filterParams, type SessionFilter } from "../state/session-filter.js";
import { FilterBar } from "./filter-bar.js";
import "./sessions.css";

const PAGE = 50;

interface Listed {
  sessions: readonly RpcSessionInfo[];
  next?: string;
  problem?: string;
}

/** The sessions of the gateway and of other programs on its computer. */
export function SessionsPage() {
  const { app, client } = useConnected();
  const [filter, setFilter] = useState<SessionFilter>({});
  const [listed, setListed] = useState<Listed>();
  useEffect(() => {
    app.pageTitle.set(texts.sessions.title);
    return () => app.pageTitle.set("");
  }, [app]);

  const load = async (before?: string): Promise<Listed> => {
    const params = {
      ...filterParams(filter, app.world.now()),
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
    };
    const { sessions, next } = await client.call("sessions.list", params);
    return { sessions, ...(next === undefined ? {} : { next }) };
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  useEffect(() => {
    let isCurrent = true;
    load()
      .catch((error: unknown): Listed => ({ sessions: [], problem: errorText(error) }))
      .then((found) => {
        if (isCurrent) setListed(found);
      });
    return () => {
      isCurrent = false;
    };
  }, [client, filter]);
  const more = (next: string) =>
    void app.attempt(async () => {
      const page = await load(next);
      setListed((before) => ({ ...page, sessions: [...(before?.sessions ?? []), ...page.sessions] }));
    });

  return (
    <>
      <PageHeader title={texts.sessions.title} />
      <div className="sessions-page">
        <FilterBar filter={filter} onFilter={setFilter} />
        {listed === undefined ? (
          <p role="status">{texts.controls.loading}</p>
        ) : listed.sessions.length === 0 ? (
          <p className="sessions-empty" role={listed.problem === undefined ? "status" : "alert"}>
            {listed.problem ?? texts.sessions.none}
          </p>
        ) : (
          <SessionLinks sessions={listed.sessions} />
        )}
        {listed?.next !== undefined && (
          <button type="button" className="button" onClick={() => more(listed.next ?? "")}>
            {texts.sessions.more}
          </button>
        )}
      </div>
    </>
  );
}
