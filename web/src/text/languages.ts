import { en, type Texts } from "./en.js";

interface Language {
  /** Its name in the language itself. */
  title: string;
  load(): Texts | Promise<Texts>;
}

/** The languages of the pages. English is in the first load; the others are loaded when they are used. */
export const languages = {
  en: { title: "English", load: () => en },
  de: { title: "Deutsch", load: async () => (await import("./de.js")).de },
} satisfies Record<string, Language>;

export type LanguageName = keyof typeof languages;

export const languageNames = Object.keys(languages).filter(isLanguageName);

export function isLanguageName(name: string | null): name is LanguageName {
  return name !== null && Object.hasOwn(languages, name);
}

/** The language of the first of the reader's locales that is available; English if none is. */
export function languageFor(readerLocales: readonly string[]): LanguageName {
  return readerLocales.map((tag) => tag.split("-", 1)[0] ?? "").find(isLanguageName) ?? "en";
}
