import type { Result } from "dragoman/client";
import { useEffect, useState } from "react";
import { texts } from "../../text/texts.js";
import { Menu, type MenuItem } from "../../theme/menu.js";
import { count } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected, useOriginTitle } from "../app-context.js";
import type { SessionFilter } from "../state/session-filter.js";
import "./filter-bar.css";

type Filters = Result<"sessions.filters">;
type Named = Filters["sources"];

const PERIODS = [1, 7, 30, 90];

interface FilterBarProps {
  filter: SessionFilter;
  onFilter(filter: SessionFilter): void;
}

/** What a list of sessions is limited to: a menu for each property that sessions differ in. */
export function FilterBar({ filter, onFilter }: FilterBarProps) {
  const { app, client } = useConnected();
  const titleOf = useOriginTitle();
  const [filters, setFilters] = useState<Filters>();
  useEffect(() => {
    let isCurrent = true;
    void app.attempt(async () => {
      const found = await client.call("sessions.filters", {});
      if (isCurrent) setFilters(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [app, client]);
  const t = texts.sessions.filters;
  const set = (name: keyof SessionFilter, value: string | number | undefined) => {
    const { [name]: _, ...others } = filter;
    onFilter(value === undefined ? others : { ...others, [name]: value });
  };
  const menu = (
    name: "source" | "agent" | "channel" | "folder",
    values: Named,
    label: (value: string) => string,
  ) => {
    const chosen = filter[name];
    if (chosen === undefined && values.length < (name === "folder" || name === "channel" ? 1 : 2))
      return null;
    const items: MenuItem[] = [
      { label: t.all[name], chosen: chosen === undefined, choose: () => set(name, undefined) },
      ...values.map(({ name: value, sessions }) => ({
        label: label(value),
        key: value,
        detail: count(sessions),
        chosen: value === chosen,
        choose: () => set(name, value),
      })),
    ];
    return (
      <FilterMenu
        key={name}
        name={t.names[name]}
        value={chosen === undefined ? undefined : label(chosen)}
        items={items}
      />
    );
  };
  const { days } = filter;
  return (
    <fieldset className="filter-bar" aria-label={t.title}>
      {menu("source", filters?.sources ?? [], (name) =>
        name === "dragoman" ? "Dragoman" : visible(titleOf(name)),
      )}
      {menu("agent", filters?.agents ?? [], visible)}
      {menu("channel", filters?.channels ?? [], (name) => visible(titleOf(name)))}
      {menu("folder", filters?.folders ?? [], (path) => visible(shortPath(path)))}
      <FilterMenu
        name={t.names.days}
        value={days === undefined ? undefined : t.lastDays(days)}
        items={[
          { label: t.all.days, chosen: days === undefined, choose: () => set("days", undefined) },
          ...PERIODS.map((period) => ({
            label: t.lastDays(period),
            chosen: period === days,
            choose: () => set("days", period),
          })),
        ]}
      />
      {Object.keys(filter).length > 0 && (
        <button type="button" className="button-quiet" onClick={() => onFilter({})}>
          {t.clear}
        </button>
      )}
    </fieldset>
  );
}

function FilterMenu({
  name,
  value,
  items,
}: {
  name: string;
  value: string | undefined;
  items: readonly MenuItem[];
}) {
  return (
    <Menu
      label={value === undefined ? name : `${name}: ${value}`}
      className="pill filter"
      items={items}
      isPill
      isActive={value !== undefined}
      button={<span className="pill-text">{value ?? name}</span>}
    />
  );
}

/** The last two folders of a path. */
function shortPath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : path;
}
