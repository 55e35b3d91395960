import { pluralIn } from "../plural.js";

const plural = pluralIn("en");

export const search = {
  title: "Search",
  field: "Search all sessions",
  results: "Results",
  roles: { user: "User", assistant: "Agent", toolResult: "Tool" },
  moreMatches: (value: number) =>
    `${plural(value, { one: "# more match", other: "# more matches" })} in this session`,
  noMatch: "No messages match.",
  matches: (matches: number, sessions: number) =>
    `${plural(matches, { one: "# match", other: "# matches" })} in ${plural(sessions, { one: "# session", other: "# sessions" })}`,
  moreThan: (matches: number, sessions: number) =>
    `${plural(matches, { one: "More than # match", other: "More than # matches" })} in ${plural(sessions, { one: "# session", other: "# sessions" })}`,
};
