import type { Emitter, LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";

/** A token of code. `scope` is a class name: `hl-keyword`. */
export interface CodeSpan {
  text: string;
  scope: string | undefined;
}

type Load = () => Promise<{ default: LanguageFn }>;

const languages: Readonly<Record<string, Load>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  graphql: () => import("highlight.js/lib/languages/graphql"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  lua: () => import("highlight.js/lib/languages/lua"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  scss: () => import("highlight.js/lib/languages/scss"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

const otherNames: Readonly<Record<string, readonly string[]>> = {
  bash: ["sh", "shell", "zsh"],
  c: ["h"],
  cpp: ["c++"],
  csharp: ["c#", "cs"],
  diff: ["patch"],
  dockerfile: ["docker"],
  go: ["golang"],
  ini: ["toml"],
  javascript: ["cjs", "js", "jsx", "mjs"],
  json: ["json5", "jsonc", "jsonl"],
  kotlin: ["kt"],
  makefile: ["make"],
  markdown: ["md"],
  python: ["py"],
  ruby: ["rb"],
  rust: ["rs"],
  typescript: ["ts", "tsx"],
  xml: ["html", "svg"],
  yaml: ["yml"],
};

/** Collects spans instead of the library's HTML. */
class SpanEmitter implements Emitter {
  readonly spans: CodeSpan[] = [];
  readonly #scopes: string[] = [];

  startScope(name: string): void {
    this.#scopes.push(name);
  }

  endScope(): void {
    this.#scopes.pop();
  }

  // The library also calls these two names, which its types omit.
  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  addText(text: string): void {
    if (text === "") return;
    // `title.function` becomes `title`: most editor themes do not distinguish further.
    const scope = this.#scopes.at(-1)?.split(".")[0];
    this.spans.push({ text, scope: scope === undefined ? undefined : `hl-${scope}` });
  }

  __addSublanguage(other: Emitter): void {
    if (other instanceof SpanEmitter) this.spans.push(...other.spans);
  }

  finalize(): void {}

  toHTML(): string {
    return "";
  }
}

hljs.configure({ __emitter: SpanEmitter });

const nameOf = (language: string): string => {
  const name = language.toLowerCase();
  return Object.keys(otherNames).find((known) => otherNames[known]?.includes(name)) ?? name;
};

export const highlighter = {
  isLoaded(language: string): boolean {
    return hljs.getLanguage(nameOf(language)) !== undefined;
  },

  /** False if the language is not supported. */
  async load(language: string): Promise<boolean> {
    const name = nameOf(language);
    const load = Object.hasOwn(languages, name) ? languages[name] : undefined;
    if (load === undefined) return false;
    hljs.registerLanguage(name, (await load()).default);
    return true;
  },

  spans(code: string, language: string): readonly CodeSpan[] {
    const { _emitter, errorRaised } = hljs.highlight(code, {
      language: nameOf(language),
      ignoreIllegals: true,
    });
    const whole = _emitter instanceof SpanEmitter && errorRaised === undefined;
    return whole ? _emitter.spans : [{ text: code, scope: undefined }];
  },
};

export type Highlighter = typeof highlighter;
