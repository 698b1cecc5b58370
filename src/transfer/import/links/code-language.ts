/** Languages in classes that are none. */
const NO_LANGUAGE =
  /^(?:none|plain|text|plaintext|true|false|block|highlight|generic|no-highlight)$/i;

/** Ways in which generators and plugins write the language of code in a class. */
const CLASSES: readonly RegExp[] = [
  /(?:^|\s)brush:\s*([\w+#.-]+)/i,
  /(?:^|\s)lang(?:uage)?[-:]([\w+#.-]+)/i,
  /(?:^|\s)(?:highlight-(?:source|text)-|sourceCode\s+|prettyprint\s+lang-)([\w+#.-]+)/i,
];

const ATTRIBUTES = ['data-enlighter-language', 'data-language', 'data-lang', 'lang', 'language'];

/**
 * The class that says the language of code as the API has it; null if the language is not known, or written so
 * already.
 *
 * @param attributes the attributes of a `pre` or `code`
 */
export function languageClass(attributes: ReadonlyMap<string, string>): string | null {
  const given = attributes.get('class') ?? '';
  if (/(?:^|\s)language-[\w+#.-]+/.test(given)) return null;
  const found =
    CLASSES.map((pattern) => pattern.exec(given)?.[1]).find((each) => each !== undefined) ??
    ATTRIBUTES.map((name) => attributes.get(name)).find((each) => each !== undefined);
  if (found === undefined || !/^[\w+#.-]{1,40}$/.test(found) || NO_LANGUAGE.test(found))
    return null;
  return `language-${found.toLowerCase()}`;
}
