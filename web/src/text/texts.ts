import { en, type Texts } from "./en.js";
import { isLanguageName, type LanguageName, languageFor, languages } from "./languages.js";
import { localeFor, setReaderLocale } from "./locale.js";

const KEY = "dragoman.language";

/**
 * Every text of the page, in the reader's language. Read it inside functions: modules are evaluated before the language is loaded.
 *
 *     <h1>{texts.home.title}</h1>
 */
export let texts: Texts = en;

/** The language chosen in this browser; undefined if it is the browser's own. */
export function chosenLanguage(): LanguageName | undefined {
  const stored = localStorage.getItem(KEY);
  return isLanguageName(stored) ? stored : undefined;
}

/** Stores the language for this browser, and shows the page in it. */
export function chooseLanguage(language: LanguageName | undefined): void {
  if (language === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, language);
  location.reload();
}

/** The language that the page has if none is chosen. */
export function browserLanguage(): LanguageName {
  return languageFor(navigator.languages);
}

/** Loads the reader's language, and returns its name. Call it before the page is rendered. */
export async function loadTexts(): Promise<LanguageName> {
  const language = chosenLanguage() ?? browserLanguage();
  await setLanguage(language, localeFor(language, navigator.languages));
  document.documentElement.lang = language;
  return language;
}

/** Sets the language of texts, dates and numbers. */
async function setLanguage(language: LanguageName, locale: string): Promise<void> {
  texts = await languages[language].load();
  setReaderLocale(locale);
}
