/** The official conformance suite. */
export const SUITE = {
  name: "mcp-conformance",
  title: "MCP conformance suite",
  package: "@modelcontextprotocol/conformance",
  version: "0.2.0-alpha.12",
  entry: "@modelcontextprotocol/conformance/dist/index.js",
  node: ">=22",
} as const;

export type Side = "server" | "client";

const noResources = "our server has no resources: sessions are read with tools, which page";
const noPrompts = "our server has no prompts";
const noQuestions = "our tools ask the client's user nothing: no elicitation, sampling or roots";
const noEmbedded = "our tools return text, images and audio, and no embedded resources";

/** Why scenarios fail. A scenario that is not listed here must pass, and one that is listed must fail. */
const reasons: Record<Side, readonly (readonly [scenarios: RegExp, reason: string])[]> = {
  server: [
    [/^resources-/, noResources],
    [/^prompts-/, noPrompts],
    [
      /^caching$/,
      "three of its checks list resources and prompts, which our server has not; the others pass",
    ],
    [
      /^completion-complete$/,
      "completion is for arguments of prompts and resources, which our server has not",
    ],
    [/^(?:logging-set-level|tools-call-with-logging)$/, "our server sends no log messages to clients"],
    [/^tools-call-(?:embedded-resource|mixed-content)$/, noEmbedded],
    [/^(?:tools-call-(?:sampling|elicitation)|elicitation-)/, noQuestions],
    [/^input-required-result-/, noQuestions],
    [/^server-stateless$/, "three of its 25 checks need tools that ask the client's user; the others pass"],
    [/^http-custom-header-server-validation$/, "none of our tools repeats parameters in headers"],
    [/^tasks-/, "an extension: tasks are not supported"],
  ],
  client: [
    [/^auth\/client-credentials-/, "an extension: logins without a person are not supported"],
    [
      /^auth\/(?:enterprise-managed-authorization|wif-jwt-bearer)$/,
      "an extension: logins through an employer's identity provider are not supported",
    ],
    [/^auth\/dpop/, "an extension: tokens that are bound to a key are not supported"],
    [/^sep-2640-/, "an extension: skills are not supported"],
  ],
};

/** Scenarios of a group that pass although the others fail. */
const passing: Record<Side, readonly string[]> = {
  server: [
    "input-required-result-missing-input-response",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
    "tasks-status-notifications",
  ],
  client: [],
};

/** Why a scenario fails; undefined if it has to pass. */
export function reasonFor(side: Side, scenario: string): string | undefined {
  if (passing[side].includes(scenario)) return undefined;
  return reasons[side].find(([scenarios]) => scenarios.test(scenario))?.[1];
}
