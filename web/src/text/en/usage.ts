import { pluralIn } from "../plural.js";

const plural = pluralIn("en");

/** The page with the usage of all sessions, and the dialog with that of one. */
export const usage = {
  title: "Usage",
  lastDays: (days: number) => plural(days, { one: "Last # day", other: "Last # days" }),
  periodLabel: (days: number) => plural(days, { one: "Period: last # day", other: "Period: last # days" }),
  counted: { calls: "Calls of this gateway", sessions: "Sessions of all programs" },
  countedLabel: (choice: string) => `Count: ${choice}`,
  units: { title: "Unit", dollars: "Dollars", tokens: "Tokens" },
  by: {
    day: "By day",
    model: "By model",
    agent: "By agent",
    token: "By token",
    source: "By program",
    project: "By project",
  },
  groupBy: {
    day: "Group by day",
    model: "Group by model",
    agent: "Group by agent",
    token: "Group by token",
    source: "Group by program",
    project: "Group by project",
  },
  tableLabel: {
    day: "Usage by day",
    model: "Usage by model",
    agent: "Usage by agent",
    token: "Usage by token",
    source: "Usage by program",
    project: "Usage by project",
  },
  dimensions: {
    day: "Day",
    model: "Model",
    agent: "Agent",
    token: "Token",
    source: "Program",
    project: "Project",
  },
  ownOnly: "Only this token's usage is shown.",
  noCalls: "No model was called in this period.",
  incomplete:
    "The usage or price of some calls is unknown, so the actual cost is higher. Set `models.*.prices` in the configuration.",
  columns: {
    cost: "Cost",
    calls: "Calls",
    input: "Input",
    output: "Output",
    cacheRead: "Cache read",
    cacheWrite: "Cache write",
    reasoning: "Reasoning",
    total: "Total",
    tokens: "Tokens",
    kind: "Kind",
    share: "Share",
  },
  shareOfTotal: "Share of the total",
  noAgent: "no agent",
  unknown: "unknown",
  tokens: (value: string) => `${value} tokens`,
  chart: {
    cost: (most: string) => `Cost per day, maximum ${most}`,
    tokens: (most: string) => `Tokens per day, maximum ${most}`,
    costCaption: (most: string) => `Cost per day, UTC; maximum ${most}`,
    tokensCaption: (most: string) => `Tokens per day, UTC; maximum ${most}`,
    noCalls: (day: string) => `${day}: no calls`,
    day: (day: string, cost: string, tokens: number, calls: number) =>
      `${day}: ${cost}, ${plural(tokens, { one: "# token", other: "# tokens" })}, ${plural(calls, { one: "# call", other: "# calls" })}`,
  },
  budgets: "Budgets",
  budget: {
    day: (spent: string, limit: string) => `${spent} of ${limit} per day`,
    month: (spent: string, limit: string) => `${spent} of ${limit} per month`,
  },
  spent: (budget: string) => `${budget}, spent`,
  resets: (day: string) => `Resets ${day} (UTC)`,
  session: {
    title: "Session usage",
    incomplete: "The usage or price of some answers is unknown, so the actual cost is higher.",
    chart: (answers: number, most: string) =>
      `Tokens per answer, ${plural(answers, { one: "last # answer", other: "last # answers" })}, maximum ${most}`,
    answer: (input: string, output: string) => `${input} input, ${output} output`,
    caption: "{input} {output} per answer",
    input: "input",
    output: "output",
  },
};
