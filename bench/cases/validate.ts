import { Ajv2020 } from "ajv/dist/2020.js";
import { is } from "dragoman";
import { allSchemas } from "dragoman/schema";
import type { Case, Work } from "../support/case.js";
import { cpuPerCall } from "../support/cpu.js";
import { firstMessages } from "../support/transcript.js";

const MESSAGES = 400;
const NS_PER_MS = 1e6;

/** The smallest check that recognises a message. */
function looksLikeMessage(value: unknown): boolean {
  if (!isObject(value) || typeof value["timestamp"] !== "number") return false;
  const { role, content } = value;
  if (role === "user") return typeof content === "string" || areBlocks(content);
  if (role === "assistant") return areBlocks(content) && isObject(value["usage"]);
  return role === "toolResult" && areBlocks(content) && typeof value["toolCallId"] === "string";
}

function areBlocks(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  for (const block of content) if (!isObject(block) || typeof block["type"] !== "string") return false;
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function ajv(): (value: unknown) => boolean {
  const compiled = new Ajv2020({ schemas: allSchemas, discriminator: true, strict: false });
  const validate = compiled.getSchema("AgentMessage.json");
  if (validate === undefined) throw new Error("there is no schema AgentMessage.json");
  return (value) => validate(value) === true;
}

const checks: { name: string; label: string; prepare(): (value: unknown) => boolean }[] = [
  { name: "floor", label: "floor: role, content, timestamp by hand", prepare: () => looksLikeMessage },
  {
    name: "dragoman",
    label: "dragoman is(), generated at build time",
    prepare: () => (value) => is("AgentMessage", value),
  },
  { name: "ajv", label: "Ajv, compiled at run time", prepare: ajv },
];

function work(prepare: () => (value: unknown) => boolean): Work {
  return async () => {
    const valid = prepare();
    const messages = firstMessages(MESSAGES);
    return cpuPerCall(() => {
      for (const message of messages) if (!valid(message)) throw new Error("a message is not valid");
    });
  };
}

export const validate: Case = {
  title: "is this value a message?",
  works: Object.fromEntries(checks.map(({ name, prepare }) => [name, work(prepare)])),
  async measure(host) {
    const jobs = checks.map(({ name, label }) => ({
      label,
      work: name,
      argument: "",
      ours: name === "dragoman",
    }));
    return (await host.compare(jobs)).map(({ label, cpuMs, floors }) => ({
      label,
      figures: { "CPU ns per message": (cpuMs * NS_PER_MS) / MESSAGES, "× floor": floors },
    }));
  },
};
