import { pluralIn } from "../plural.js";

const plural = pluralIn("en");

/** The page with the sessions of all programs, and the filters of lists and searches. */
export const sessions = {
  title: "All sessions",
  none: "No session matches these filters.",
  more: "Show more",
  filters: {
    title: "Filters",
    names: { source: "Program", agent: "Agent", channel: "Channel", folder: "Project", days: "Date" },
    all: {
      source: "All programs",
      agent: "All agents",
      channel: "All channels",
      folder: "All projects",
      days: "Any date",
    },
    lastDays: (days: number) => plural(days, { one: "Today", other: "Last # days" }),
    clear: "Clear filters",
  },
};
