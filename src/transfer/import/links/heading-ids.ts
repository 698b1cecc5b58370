import { percentDecoded } from '../../../platform/text/percent-decoded.js';

/** A heading, or another element with an id. */
export interface Heading {
  readonly text: string;
  /** The id in the source; '' for none. */
  id: string;
}

/** Longest name in an id, in code points, as the cleaner writes it. */
const NAME_MAX = 64;

/** Id of a heading as GitHub makes it, and with it Hugo, Docusaurus, Astro, Gatsby and Jekyll. */
function githubId(text: string): string {
  const dashed = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-');
  return Array.from(dashed).slice(0, NAME_MAX).join('');
}

/** The fragment by which a cleaned article is linked, if it has a heading with such an id. */
export function cleanedFragment(fragment: string): string {
  const id = githubId(percentDecoded(fragment).replaceAll('.', '-'));
  return id === '' ? '' : `#h-${encodeURIComponent(id)}`;
}

/** Gives the headings without an id one that differs from all others. */
export function giveGithubIds(headings: readonly Heading[]): void {
  const taken = new Set(headings.map(({ id }) => id));
  const counts = new Map<string, number>();
  for (const heading of headings) {
    const name = githubId(heading.text);
    if (heading.id !== '' || name === '') continue;
    let count = counts.get(name) ?? 0;
    for (heading.id = name; taken.has(heading.id); heading.id = `${name}-${count}`) count += 1;
    counts.set(name, count);
    taken.add(heading.id);
  }
}

/**
 * Ways in which generators make the words of an id, the most common one first. All make dashes of what separates
 * words, in one way or another, so that only letters and digits are compared.
 */
const WORDS: readonly ((text: string) => string)[] = [
  (text) => text,
  // kramdown drops what stands before the first letter.
  (text) => text.replace(/^[^\p{L}]+/u, ''),
  // Some drop all letters with accents, or all beyond ASCII.
  (text) => text.replace(/[^\x20-\x7e]/g, ''),
  (text) => text.replace(/[^\x20-\x7e]/g, '').replace(/^[^a-z]+/i, ''),
];

/** Finds the headings to which the fragments of links lead, as any of the usual generators made their ids. */
export class HeadingIndex {
  private readonly byId = new Map<string, Heading>();
  private readonly byWords = WORDS.map(() => new Map<string, Heading[]>());

  constructor(headings: readonly Heading[]) {
    for (const heading of headings) {
      if (heading.id !== '' && !this.byId.has(heading.id)) this.byId.set(heading.id, heading);
      for (const [at, wordsOf] of WORDS.entries()) {
        const key = folded(wordsOf(heading.text));
        const list = this.byWords[at]?.get(key) ?? [];
        if (key !== '') this.byWords[at]?.set(key, [...list.slice(0, 50), heading]);
      }
    }
  }

  find(fragment: string): Heading | undefined {
    const name = percentDecoded(fragment);
    const found = this.byId.get(fragment) ?? this.byId.get(name) ?? this.withWords(name)?.[0];
    if (found) return found;
    // The second heading of a name has a number, which begins with 1 or 2.
    const [, words = '', number = ''] = /^(.*)[-_](\d{1,3})$/.exec(name) ?? [];
    const list = words === '' ? undefined : this.withWords(words);
    return list?.[Number(number)] ?? list?.at(-1);
  }

  private withWords(name: string): Heading[] | undefined {
    const key = folded(name);
    return this.byWords.map((index) => index.get(key)).find((list) => list !== undefined);
  }
}

function folded(text: string): string {
  return text
    .slice(0, 500)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
