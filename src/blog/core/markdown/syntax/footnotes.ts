/** The heading of the footnotes by language. */
const HEADINGS: ReadonlyMap<string, string> = new Map([
  ['ar', 'الهوامش'],
  ['cs', 'Poznámky pod čarou'],
  ['da', 'Fodnoter'],
  ['de', 'Fußnoten'],
  ['el', 'Υποσημειώσεις'],
  ['en', 'Footnotes'],
  ['es', 'Notas al pie'],
  ['fi', 'Alaviitteet'],
  ['fr', 'Notes de bas de page'],
  ['he', 'הערות שוליים'],
  ['hu', 'Lábjegyzetek'],
  ['id', 'Catatan kaki'],
  ['it', 'Note a piè di pagina'],
  ['ja', '脚注'],
  ['ko', '각주'],
  ['nb', 'Fotnoter'],
  ['nl', 'Voetnoten'],
  ['no', 'Fotnoter'],
  ['pl', 'Przypisy'],
  ['pt', 'Notas de rodapé'],
  ['ro', 'Note de subsol'],
  ['ru', 'Сноски'],
  ['sv', 'Fotnoter'],
  ['tr', 'Dipnotlar'],
  ['uk', 'Примітки'],
  ['vi', 'Chú thích'],
  ['zh', '脚注'],
]);

/** Scripts that tell a language, the more special one first. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/[іїєґ]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Arabic}/u, 'ar'],
];

/** Number of characters that are looked at to tell the language. */
const SAMPLE = 2_000;

/**
 * The heading of the footnotes in the language of a text; null if it is not known, because a line needs no language.
 *
 * @param language a tag such as `de-AT`; null if the article does not say
 * @param siteLanguage the tag of the site, for articles that do not say and show no other language; null if not known
 */
export function footnotesHeading(
  language: string | null,
  siteLanguage: string | null,
  text: string,
): string | null {
  if (language) return HEADINGS.get(primary(language)) ?? null;
  const sample = text.slice(0, SAMPLE);
  // A few words of another script are quotations.
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const [, shown] =
    latin > letters / 2 ? [] : (SCRIPTS.find(([script]) => script.test(sample)) ?? []);
  return HEADINGS.get(shown ?? primary(siteLanguage ?? '')) ?? null;
}

function primary(language: string): string {
  return language.toLowerCase().split(/[-_]/, 1)[0] ?? '';
}
