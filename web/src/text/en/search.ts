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
  someOf: (shown: number, total: number, sessions: number) =>
    `${plural(shown, { other: "#" })} of ${plural(total, { one: "# match", other: "# matches" })}, in ${plural(sessions, { one: "# session", other: "# sessions" })}`,
  someOfMore: (shown: number, total: number, sessions: number) =>
    `${plural(shown, { other: "#" })} of more than ${plural(total, { one: "# match", other: "# matches" })}, in ${plural(sessions, { one: "# session", other: "# sessions" })}`,
};
