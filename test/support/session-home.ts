import { expect } from "vitest";
import { type Finished, workspace } from "./cli/run-cli.js";

const usage =
  '{"input":400,"output":50,"cacheRead":0,"cacheWrite":0,"totalTokens":450,"cost":{"input":0.002,"output":0.0012,"cacheRead":0,"cacheWrite":0,"total":0.0032}}';
/** A line of an assistant. */
export const answer = (content: string, stopReason: string, second: number) =>
  `{"role":"assistant","content":[${content}],"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-6","usage":${usage},"stopReason":"${stopReason}","timestamp":${1_768_469_400_000 + second * 1000}}`;
/** Four messages, of which two are a call of a tool and its result. */
export const greeting = [
  '{"role":"user","content":"What does greet.ts print?","timestamp":1768469400000}',
  answer(
    '{"type":"text","text":"Let me look."},{"type":"toolCall","id":"call_1","name":"read","arguments":{"path":"src/greet.ts"}}',
    "toolUse",
    2,
  ),
  '{"role":"toolResult","toolCallId":"call_1","toolName":"read","content":[{"type":"text","text":"console.log(1);"}],"isError":false,"timestamp":1768469403000}',
  answer('{"type":"text","text":"It prints 1."}', "stop", 4),
  "",
].join("\n");

export const ULID = /^[0-9A-HJKMNP-TV-Z]{26}\n$/;

/** A workspace whose `home` is the home of `dragoman sessions`. */
export function sessionHome() {
  const work = workspace();
  const { path, dragoman } = work;
  const sessions = (args: string[], input = ""): Promise<Finished> =>
    dragoman(["sessions", ...args], input, { DRAGOMAN_HOME: path("home"), TZ: "UTC" });
  return {
    ...work,
    sessions,
    /** The id that a command prints. */
    async made(args: string[], input?: string): Promise<string> {
      const { code, stdout } = await sessions(args, input);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(ULID) });
      return stdout.trim();
    },
    /** The lines that a command prints, which has nothing else to say. */
    async out(args: string[]): Promise<string[]> {
      const { code, stdout, stderr } = await sessions(args);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
      return stdout.trimEnd().split("\n");
    },
    sessionFile: (id: string) => path(`home/agents/main/sessions/${id}.jsonl`),
  };
}
