import { pluralIn } from "../plural.js";

const plural = pluralIn("en");

export const chat = {
  untitled: "Chat",
  forkOf: "fork of {title}",
  startedBy: "started by {title}",
  cannotOpen: (why: string) => `This session cannot be opened. ${why}`,
  backToStart: "Back to the start page",
  model: (name: string) => `Model: ${name}`,
  modelTokens: (tokens: string) => `${tokens} tokens`,
  modelMissing: {
    key: (name: string) => `needs ${name}`,
    server: (name: string) => `no server at ${name}`,
    model: (name: string) => `not installed: ollama pull ${name}`,
  },
  modelUnavailable: "not available",
  attempts: (value: number) => plural(value, { one: "# failed attempt", other: "# failed attempts" }),
  branches: {
    title: "Versions of this part",
    previous: "Previous version",
    next: "Next version",
    position: (number: number, total: number) => `${number}/${total}`,
  },
  composer: {
    label: "Message",
    placeholder: "Write a message",
    editing: "Editing: sending starts a fork before this message.",
    attach: "Attach files",
    files: "Files",
    stop: "Stop (Esc)",
    queue: "Queue this message",
  },
  attachments: {
    title: "Attachments",
    numbered: {
      image: (number: number) => `image ${number}`,
      audio: (number: number) => `audio ${number}`,
      file: (number: number) => `file ${number}`,
    },
    pasted: "Pasted text",
    theModel: "the model",
    remove: (name: string) => `Remove ${name}`,
    noRoom: (name: string) => `${name} does not fit into the message with the other attachments.`,
    notAccepted: (name: string, model: string, type: string) =>
      `${name} cannot be attached: ${model} does not accept ${type}.`,
    empty: (name: string) => `${name} is empty, or a folder.`,
    tooLarge: (name: string) => `${name} is larger than 10 MB.`,
    unreadable: (name: string) => `Could not read ${name}.`,
  },
  modes: {
    steer: { label: "Steer", detail: "read after the current step" },
    followup: { label: "Afterwards", detail: "answer this after the current run" },
    collect: { label: "Collect", detail: "merge everything queued into one message" },
    interrupt: { label: "Interrupt", detail: "stop the current run and answer this now" },
  },
  modeLabel: (mode: string) => `While the agent works: ${mode}`,
  foreign: {
    program: "another program",
    note: (program: string) =>
      `Written by ${program}, and never changed here. New messages appear as they are written.`,
    openInViewer: "Open in viewer",
  },
  actions: {
    editAndFork: "Edit and fork",
    tryAgain: "Try again",
    fork: "Fork from here",
    forkWithModel: "Fork here with another model",
    continue: "Continue",
    continueMessage: "Continue where you stopped.",
  },
  serverStarting: (name: string) => `MCP server ${name} is starting; its tools are not available yet.`,
  serverMissing: (name: string, why: string) => `MCP server ${name} is not available: ${why}`,
  permission: {
    question: "Allow {tool} to run?",
    answers: { once: "Allow once", session: "Allow for this session", never: "Deny" },
    needsAdmin: "Answering requires an admin token.",
    expires: "Expires {when}",
  },
  question: {
    asks: "{server} asks",
    openPage: "Open a page on {host}: {link}",
    noSecrets: "Do not enter passwords or keys.",
    opened: "I opened it",
    decline: "Decline",
    required: (title: string) => `${title} (required)`,
  },
  status: {
    waiting: "Waiting for permission",
    running: (tools: string) => `Running ${tools}…`,
    answering: "Answering…",
    thinking: "Thinking…",
    lost: "Not known while the connection is lost",
  },
  pending: {
    title: "Pending messages",
    queued: "Queued",
    sending: "Sending…",
    sendAgain: "Send again",
    discard: "Discard",
    attachments: (value: number) => plural(value, { one: "# attachment", other: "# attachments" }),
  },
};
