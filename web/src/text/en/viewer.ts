import { pluralIn } from "../plural.js";

const plural = pluralIn("en");

/** The viewer of transcripts. */
export const viewer = {
  messages: (messages: number) => plural(messages, { one: "# message", other: "# messages" }),
  backToApp: "Back to the app",
  find: {
    label: "Search the transcript",
    field: "Search",
    keys: "Search (/ or Ctrl+F)",
    previous: "Previous match",
    next: "Next match",
    none: "no matches",
    place: (at: string, all: string) => `${at} of ${all}`,
    showOnly: "Show only",
    kinds: {
      prompts: "Prompts",
      answers: "Answers",
      thinking: "Thinking",
      tools: "Tools",
      errors: "Errors",
      notes: "Notes",
    },
  },
  outline: {
    title: "Outline",
    prompts: "Prompts",
    none: "There are no prompts in this transcript.",
    count: (prompts: number) => plural(prompts, { one: "# prompt", other: "# prompts" }),
    calls: (calls: number) => plural(calls, { one: "# tool call", other: "# tool calls" }),
    tokens: (tokens: string) => `${tokens} tokens`,
    noText: "(no text)",
  },
  severities: { dropped: "dropped", approximated: "approximated", synthesised: "synthesised" },
  losses: {
    label: "Losses",
    none: "No losses.",
    counts: (dropped: string, approximated: string, synthesised: string) =>
      `${dropped} dropped, ${approximated} approximated, ${synthesised} synthesised`,
    places: "Places",
    firstPlaces: (places: number) =>
      plural(places, { one: "The first place is listed.", other: "The first # places are listed." }),
    showMore: "Show more",
  },
  targets: {
    title: "Where can this go?",
    about: "Lists what every dialect would lose. A large file takes a while.",
    compare: "Compare all dialects",
    progress: (compared: string, all: string) => `Compared ${compared} of ${all} dialects…`,
    lossless: (lossless: string, all: string) => `${lossless} of ${all} dialects would lose nothing.`,
    dialect: "Dialect",
    columns: { dropped: "Dropped", approximated: "Approx.", synthesised: "Synth." },
    none: "no losses",
  },
  json: { source: "File", formatted: "Formatted", canonical: "Dragoman model" },
  start: {
    title: "View a transcript",
    drop: "Drop a file here, or choose one",
    dialects:
      "Sessions of Claude Code, Codex, Gemini CLI, opencode, Cline, pi and OpenClaw, ChatGPT and Claude exports, requests to model APIs, and more",
    stays: "The file stays in this browser; nothing is sent anywhere.",
  },
  keys: {
    search: "Search",
    nextMatch: "Next match (in the search field)",
    previousMatch: "Previous match (in the search field)",
    nextMessage: "Next message",
    previousMessage: "Previous message",
    nextProblem: "Next message with a problem",
    replay: "Replay, pause",
    list: "Show this list",
    title: "Keyboard shortcuts",
    button: "Keyboard shortcuts (?)",
  },
};
