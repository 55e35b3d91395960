import { run } from "../agent/run.js";
import type { ToolHooks } from "../agent/types.js";
import { wordsOf } from "../core/error.js";
import { idsOf } from "../core/message/notes.js";
import type { TraceContext } from "../core/trace-context.js";
import type { AgentEvent, AgentMessage, Loss, UserMessage } from "../core/types.js";
import type { Lease } from "../log/types.js";
import type { AgentRun } from "../telemetry/agent-run.js";
import type { Telemetry } from "../telemetry/telemetry.js";
import type { Backlog } from "./backlog.js";
import { ClientTools } from "./client-tools.js";
import type { CurrentRun } from "./current-run.js";
import { type Ending, endingAfter } from "./ending.js";
import type { History } from "./history.js";
import type { LiveState } from "./live-state.js";
import type { LossLedger } from "./losses.js";
import { permissionHooks } from "./permission-hooks.js";
import type { Permissions } from "./permissions.js";
import type { RunRecorder } from "./run-recorder.js";
import { runSettings } from "./run-settings.js";
import { traceOf } from "./sent-mark.js";
import type { AgentSetup, ConversationEvent } from "./types.js";

export interface RunnerOptions {
  history(): History;
  setup(): Promise<AgentSetup>;
  backlog: Backlog;
  current: CurrentRun;
  live: LiveState;
  losses: LossLedger;
  permissions: Permissions;
  sessionId: string;
  /** Traces the runs. */
  telemetry: Telemetry | undefined;
  emit(event: ConversationEvent): void;
  /** Users' messages were stored. */
  onUserMessages(): void;
  /** Called after each run, with the agent's system prompt. */
  onRunEnd(messages: readonly AgentMessage[], systemPrompt: string | undefined): Promise<void>;
  onFailure(error: unknown): void;
}

/** Runs a conversation's agent: stores what a run appends, and emits its events from `run_start` to `run_end`. */
export class Runner {
  readonly #options: RunnerOptions;
  #hooks: ToolHooks | undefined;
  #systemPrompt: string | undefined;
  #traced: AgentRun | undefined;
  readonly #clientTools: ClientTools;
  readonly #onToolLosses = (losses: readonly Loss[]) => this.#options.losses.add("request", "agent", losses);

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#clientTools = new ClientTools(options.permissions);
  }

  /** The place of the run in progress in a trace. */
  get trace(): TraceContext | undefined {
    return this.#traced?.context;
  }

  /** Traces an event of the conversation. */
  observe(event: ConversationEvent): void {
    if (event.type === "agent") this.#traced?.observe(event.event);
    else if (event.type === "permission") this.#traced?.beginQuestion(event.request);
    else if (event.type === "permission_end") this.#traced?.endQuestion(event.id, event.end);
  }

  async runOnce(prompts: readonly UserMessage[], recorder: RunRecorder, lease: Lease): Promise<void> {
    const { current, losses, permissions, live, emit, onFailure } = this.#options;
    const seq = current.begin(prompts.flatMap(idsOf));
    const { id: runId } = current;
    emit({ type: "run_start", runId, seq });
    // Before its first turn ends, only a thrown failure can end a run.
    let ending: Ending = { outcome: "aborted" };
    try {
      for await (const event of recorder.record(await this.#start(prompts, lease))) {
        this.#emitAgentEvent(event);
        ending = endingAfter(event, ending);
        if (event.type === "message_end" && event.message.role === "assistant") await losses.flush();
      }
      // A run that was stopped while its tools ran ends with their results.
      if (current.signal.aborted && ending.error === undefined) ending = { outcome: "aborted" };
    } catch (error) {
      ending = { outcome: "error", error: wordsOf(error) };
      throw error;
    } finally {
      live.clear();
      await permissions.endRun(current.signal);
      await losses.flush();
      // Derived data can be derived again, so a failure here is reported and does not fail the run.
      await this.#updateDerived().catch(onFailure);
      this.#traced?.end(ending.outcome);
      this.#traced = undefined;
      const end = { type: "run_end", runId, seq: current.nextSeq(), ...ending } as const;
      // Before watchers are told, so that each of them can begin the next run.
      current.end();
      emit(end);
    }
  }

  /** Stored after the answer, so that its first token does not wait for the disk. */
  onLossesOf({ provider, id }: AgentSetup["model"]): (losses: readonly Loss[]) => void {
    return (losses) => this.#options.losses.add("request", `${provider}/${id}`, losses);
  }

  async #updateDerived(): Promise<void> {
    await this.#options.onRunEnd(await this.#options.history().read(), this.#systemPrompt);
  }

  async #start(prompts: readonly UserMessage[], lease: Lease): Promise<AsyncIterable<AgentEvent>> {
    const { permissions, backlog, current } = this.#options;
    const history = await this.#options.history().read();
    const setup = await this.#options.setup();
    this.#systemPrompt = setup.systemPrompt;
    this.#traced = this.#startTrace(prompts, history, setup);
    this.#hooks ??= permissionHooks(permissions, setup.rules, setup.run === undefined, this.#clientTools);
    return (setup.run ?? run)(prompts, {
      ...runSettings(setup),
      history,
      toolsFor: (prompt) => this.#clientTools.toolsFor(prompt, setup.tools, this.#onToolLosses),
      resumesCalls: permissions.isResumed,
      append: (messages) => this.#append(messages, lease),
      queue: backlog.queue,
      hooks: this.#hooks,
      signal: current.signal,
      onLosses: this.onLossesOf(setup.model),
    });
  }

  /** A run belongs to the trace of the message that it answers, also if another process resumes it. */
  #startTrace(
    prompts: readonly UserMessage[],
    history: readonly AgentMessage[],
    { id, model, systemPrompt }: AgentSetup,
  ): AgentRun | undefined {
    const { telemetry, sessionId, current } = this.#options;
    if (telemetry === undefined) return undefined;
    const message = prompts.at(-1) ?? history.findLast(({ role }) => role === "user");
    const start = { agent: id, session: sessionId, run: current.id, model, systemPrompt, prompts };
    return telemetry.startRun(message === undefined ? undefined : traceOf(message), start);
  }

  #emitAgentEvent(event: AgentEvent): void {
    const { live, current, history, emit } = this.#options;
    live.apply(event);
    const stored = event.type === "message_end" ? history().placeOf(event.message) : undefined;
    const numbered = { runId: current.id, seq: current.nextSeq() };
    emit({ type: "agent", ...numbered, event, ...(stored === undefined ? {} : { stored }) });
  }

  async #append(messages: readonly AgentMessage[], under: Lease): Promise<readonly AgentMessage[]> {
    const stored = await this.#options.history().append(messages, { under });
    this.#options.backlog.confirmStored(stored);
    if (stored.some(({ role }) => role === "user")) this.#options.onUserMessages();
    return stored;
  }
}
