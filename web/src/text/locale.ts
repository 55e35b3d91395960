/** The reader's locale. */
let current = "en";

/** Sets the locale in which dates and numbers are written. */
export function setReaderLocale(locale: string): void {
  current = locale;
}

/** Makes something once for the reader's locale, when it is first needed: `Intl` objects are slow to create. */
export function perLocale<T>(make: (locale: string) => T): () => T {
  let made: { locale: string; value: T } | undefined;
  return () => {
    if (made?.locale !== current) made = { locale: current, value: make(current) };
    return made.value;
  };
}

/**
 * The locale for texts of a language: the first of the reader's locales with that language, such as `en-GB` for English. If there
 * is none, the language with the region of the reader's first locale: English texts for a German have the dates of `en-DE`.
 */
export function localeFor(language: string, readerLocales: readonly string[]): string {
  const locales = readerLocales.flatMap((tag) => localeOf(tag) ?? []);
  const same = locales.find((locale) => locale.language === language);
  if (same !== undefined) return same.toString();
  const region = locales[0]?.maximize().region;
  return region === undefined ? language : `${language}-${region}`;
}

/** Undefined for tags that are not well formed, such as `C`, which some browsers report. */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}
