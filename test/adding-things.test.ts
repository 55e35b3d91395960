import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The code of every product file, without comments, by its path. The texts of pages name examples, which costs nothing to add. */
const sources = new Map(
  ["src", "web/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter(
        (path) =>
          /\.tsx?$/.test(path) && !/\.test\.|(^|\/)(fixtures|generated)\/|^web\/src\/text\//.test(path),
      )
      .map((path): [string, string] => [path, codeOf(readFileSync(join(root, path), "utf8"))]),
  ),
);

/** Comments name what they compare with, which costs nothing to add. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** The files that name something, as `open-ai`, `openAi` or `OpenAI`. Those of its own folders are left out. */
function filesNaming(word: string, ...exceptFolders: string[]): string[] {
  const pattern = new RegExp(`(?<![a-z])${word.replaceAll("-", "[-_ ]?")}(?![a-z])`, "i");
  return [...sources]
    .filter(([path, code]) => !exceptFolders.some((folder) => path.startsWith(folder)) && pattern.test(code))
    .map(([path]) => path)
    .sort();
}

/** Something that can be added, and the files outside of its folders that name it. */
interface Named {
  word: string;
  folders: string[];
  /** Those that had to change for it. */
  changed: string[];
  /** Those that did not: examples, and what knows this one in particular. */
  others?: string[];
}

function expectNamed({ word, folders, changed, others = [] }: Named): void {
  expect(filesNaming(word, ...folders)).toEqual([...changed, ...others].sort());
}

describe("a provider API is a folder, a line in the registry, and an endpoint of the gateway", () => {
  const api = (word: string, ...others: string[]): Named => ({
    word,
    folders: [`src/dialects/${word}/`],
    changed: ["src/dialects/registry.ts", `src/gateway/models/${word}.ts`, "src/gateway/models/protocols.ts"],
    others,
  });
  /** Of the provider that has the name of its API: its address, its models, and completion in an editor. */
  const provider = ["src/providers/endpoints.ts", "src/providers/catalogue-data.ts", "src/core/types.ts"];
  /** One path that three APIs have. */
  const modelList = "src/gateway/models/model-list-protocol.ts";
  /** Where the AI SDK keeps an API's signatures. */
  const signatures = "src/core/message/provider-metadata.ts";

  test.each([
    api("ollama", ...provider),
    api(
      "google",
      ...provider,
      "src/runtime/models.ts",
      // A cloud that serves the API too.
      "src/providers/hosts/vertex.ts",
      "src/providers/hosts/google-credentials.ts",
      "src/providers/hosts/google-token.ts",
      // A field of its compatible endpoint.
      "src/dialects/openai-chat/calls.ts",
      "src/dialects/openai-chat/wire.ts",
      // Programs that store the contents of its requests.
      "src/dialects/gemini-cli/wire.ts",
      "src/dialects/qwen-code/wire.ts",
      signatures,
      modelList,
    ),
    {
      word: "bedrock",
      folders: ["src/dialects/bedrock/"],
      // Its clients do not talk to the gateway.
      changed: ["src/dialects/registry.ts"],
      // Its address, its credentials, and completion in an editor.
      others: [
        "src/providers/endpoints.ts",
        "src/providers/hosts/bedrock.ts",
        "src/providers/hosts/aws-profile.ts",
        "src/core/types.ts",
        signatures,
      ],
    },
    // The last two are examples.
    api("openai-chat", "src/providers/endpoints.ts", modelList, "src/cli/commands.ts", "src/cli/tour.ts"),
    // The answers in Codex's files are items of this API.
    api(
      "openai-responses",
      "src/core/types.ts",
      "src/dialects/codex/wire.ts",
      "src/providers/endpoints.ts",
      // Codex's model accepts only its own thinking.
      "src/runtime/continue/destinations.ts",
      signatures,
    ),
  ])("$word", expectNamed);
});

describe("a dialect is a folder and a line in the registry", () => {
  test.each<Named>([
    {
      word: "pi",
      folders: ["src/dialects/pi/"],
      changed: ["src/dialects/registry.ts"],
      others: [
        "src/cli/commands.ts",
        // Where its sessions are on this computer.
        "src/cli/sessions/commands.ts",
        "src/runtime/sources/programs.ts",
        // How a session is continued in it.
        "src/runtime/continue/destination.ts",
        "src/runtime/continue/destinations.ts",
      ],
    },
    {
      word: "clawtools",
      folders: ["src/dialects/clawtools/"],
      changed: ["src/dialects/registry.ts"],
      // Its problems have codes of their own, and its messages are accepted as input.
      others: ["src/core/error.ts", "src/index.ts", "src/providers/accept.ts"],
    },
  ])("$word", expectNamed);
});

test("a gateway protocol is a folder and a line in the list of protocols", () => {
  expectNamed({
    word: "timbal",
    folders: ["src/gateway/timbal/", "src/dialects/timbal/"],
    changed: ["src/gateway/protocols.ts"],
    others: ["src/cli/commands.ts", "src/dialects/registry.ts"],
  });
});

/** The word "webhook" is also what platforms call us through, so that the channel of that name is not looked for. */
describe("a channel is a folder and a line in the registry", () => {
  const channel = (word: string, ...others: string[]): Named => ({
    word,
    // A way to write Markdown is not a channel: a channel names the one it uses.
    folders: [`src/channels/${word}/`, "src/markdown/"],
    changed: ["src/channels/registry.ts"],
    // The functions that the package publishes by name.
    others: ["src/channels/index.ts", ...others],
  });

  test.each([
    channel("whatsapp"),
    channel("discord"),
    channel(
      "telegram",
      // Examples of keys, and of commands.
      "src/cli/channels/commands.ts",
      "src/cli/channels/declared.ts",
      "src/cli/sessions/commands.ts",
      "src/log/key.ts",
    ),
  ])("$word", expectNamed);
});
