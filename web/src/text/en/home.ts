import { pluralIn } from "../plural.js";

const plural = pluralIn("en");
const messages = (value: number) => plural(value, { one: "# message", other: "# messages" });

export const home = {
  title: "How can I help?",
  newChat: "New chat",
  agent: (name: string) => `Agent: ${name}`,
  demoModels: {
    "demo/echo": "This demo model repeats your message.",
    "demo/tools": "This demo model calls the agent's tools and reports the results.",
    "demo/script": "This demo model follows the steps that you write, such as “say: hello”.",
  },
  addKey: "Add a key",
  waiting: "Waiting for you",
  notifyMe: "Notify me",
  wantsToTalk: "{name} wants to talk to your agent on {platform}",
  pairingDetails:
    "Code {code} · id {id} · account {account} · {since}. Approve only a person who told you this code.",
  approve: "Approve",
  reject: "Reject",
  running: "Running now",
  answering: "Answering",
  runningTools: (tools: string) => `Running ${tools}`,
  viewers: (value: number) => plural(value, { one: "# viewer", other: "# viewers" }),
  channels: "Channels",
  channelStates: {
    connected: "connected",
    connecting: "connecting…",
    waiting: "retrying",
    stopped: "stopped",
    pairing: "not linked yet",
  },
  channelCounts: {
    waiting: (value: number) => `${messages(value)} unanswered`,
    unsent: (value: number) => `${messages(value)} unsent`,
    unknown: (value: number) => `${messages(value)} with unknown outcome`,
    refused: (value: number) => `${messages(value)} refused`,
  },
  openTranscript: "Open a transcript",
  dropHere: "Drop a session or log of any agent here, or choose one. The file stays in this browser.",
  transcriptFile: "Transcript to open",
  recent: "Recent sessions",
  allSessions: "All sessions",
};
