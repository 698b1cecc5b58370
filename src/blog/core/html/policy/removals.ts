import { srcsetCandidates } from '../../../../platform/text/srcset.ts';
import { TAGS_DROPPED_WITH_CONTENT } from './elements.ts';

type Attributes = Readonly<Record<string, string>>;

/**
 * Forbidden elements of which browsers show nothing. Neither they nor their attributes are counted.
 */
const INVISIBLE_TAGS: ReadonlySet<string> = new Set(
  'head title template noframes noembed datalist meta'.split(' '),
);

/** Forbidden elements whose content looks the same without them. */
const NEUTRAL_TAGS: ReadonlySet<string> = new Set(
  (
    'html body div span section article aside nav header footer main hgroup address search slot ' +
    'time data label legend output wbr rb rbc rtc'
  ).split(' '),
);

/** Forbidden elements without content. */
const VOID_TAGS = 'embed frame param base link area image keygen bgsound basefont'.split(' ');

/** Forbidden elements whose content is kept, although it then looks or works differently. */
const UNWRAPPED_TAGS = (
  'form fieldset font big center tt strike nobr marquee blink acronym map dialog ' +
  'menu dir meter progress portal fencedframe'
).split(' ');

/**
 * The messages about forbidden elements, by element name; `%` stands for the number, `(s)` for a
 * plural.
 */
const MESSAGE_BY_TAG: ReadonlyMap<string, string> = new Map([
  ...[...TAGS_DROPPED_WITH_CONTENT, ...VOID_TAGS].map((tag) => [tag, `% ${tag} removed`] as const),
  ...UNWRAPPED_TAGS.map((tag) => [tag, `% ${tag} removed, content kept`] as const),
  ...['video', 'audio'].map(
    (tag) => [tag, `% ${tag} removed: only https URLs are allowed`] as const,
  ),
]);

/**
 * The message about elements that no table here names. It does not repeat their names: a text may
 * have 100,000 different ones.
 */
const UNKNOWN_MESSAGE = '% unknown element(s) removed, content kept';

const LINK_MESSAGE =
  '% link URL(s) removed: only http, https, mailto, tel, /path and #id are allowed';
const IMAGE_MESSAGE = '% img removed: only http, https and /path URLs are allowed';
const SRCSET_MESSAGE = 'part of srcset on % element(s) removed';
const HANDLERS_MESSAGE = 'event handlers on % element(s) removed';
const COMMENT_MESSAGE = '% comment(s) without an end removed, content kept';

/** Attributes that change what a reader sees. They are counted where they are not allowed. */
const VISIBLE_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'style title align valign bgcolor background border bordercolor cellpadding cellspacing color ' +
    'face size hspace vspace nowrap width height colspan rowspan dir hidden open srcset sizes media ' +
    'poster autoplay loop'
  ).split(' '),
);

/**
 * Attributes of lists that change how the items are numbered. On other elements the same attributes
 * change nothing that a reader sees.
 */
const LIST_ATTRIBUTES: ReadonlySet<string> = new Set(['start', 'reversed', 'value', 'type']);
const LIST_TAGS: ReadonlySet<string> = new Set(['ol', 'ul', 'li']);

/** The values with which an attribute changes nothing that a reader sees, by attribute name. */
const VALUES_WITHOUT_EFFECT: Readonly<Record<string, RegExp>> = {
  style: /^\s*$/,
  title: /^\s*$/,
  sizes: /^\s*$/,
  media: /^\s*$/,
  border: /^0$/,
};

/**
 * Largest number of messages: a response has no more warnings. If there are more, the last one says how
 * many are left out.
 */
const MESSAGES_MAX = 10;

/**
 * Counts what cleaning removes from a text, as far as a reader would notice. The tables above limit
 * the number of different messages, whatever the text contains.
 */
export class Removals {
  /** How often each message applies, and how many words have gone. */
  private readonly counts = new Map<string, { times: number; words: number }>();

  /**
   * Counts the attributes that an allowed element has lost.
   *
   * @param kept the attributes that stay
   */
  addAttributes(tag: string, given: Attributes, kept: Attributes): void {
    if (tag === 'a' && given['href']?.trim() && !kept['href']) this.add(LINK_MESSAGE);
    this.addVisibleAttributes(tag, given, kept);
  }

  /** Counts an allowed element that was removed, because an attribute without which it shows nothing was not allowed. */
  addIncomplete(tag: string, given: Attributes): void {
    if (tag === 'img') {
      if (given['src'] || given['srcset'] || given['alt']) this.add(IMAGE_MESSAGE);
    } else if (tag === 'input' || given['src'] || given['srcset']) {
      this.add(`% ${tag} removed`);
    }
  }

  /**
   * Counts a forbidden element. sanitize-html passes none inside an element that is removed with its
   * content.
   *
   * @param kept the attributes that another element keeps in its place
   */
  addElement(tag: string, given: Attributes, kept: Attributes): void {
    if (INVISIBLE_TAGS.has(tag)) return;
    const message = MESSAGE_BY_TAG.get(tag);
    if (message === undefined) {
      if (!NEUTRAL_TAGS.has(tag)) this.add(UNKNOWN_MESSAGE);
      this.addVisibleAttributes(tag, given, kept);
    } else {
      // Only the element is counted: its attributes have no effect without it.
      this.add(message);
    }
  }

  /** Counts an element that was removed with its content, which `repairSource` does before the pass. */
  addWhole(tag: string, words: number): void {
    if (words === 0 && INVISIBLE_TAGS.has(tag)) return;
    this.add(MESSAGE_BY_TAG.get(tag) ?? `% ${tag} removed`, words);
  }

  /** Counts an element whose raw text never ends. */
  addEndless(tag: string, words: number): void {
    this.add(`% ${tag} without an end tag removed`, words);
  }

  /** Counts an element without an end tag that was removed, although its content could be kept. */
  addTag(tag: string): void {
    this.add(`% ${tag} without an end tag removed, content kept`);
  }

  /** Counts the words in an element that was kept without its content. */
  addContent(tag: string, words: number): void {
    if (words > 0) this.add(`content of % ${tag} removed`, words);
  }

  addOpenComment(): void {
    this.add(COMMENT_MESSAGE);
  }

  /** @returns the messages, the most frequent first; [] when a reader would notice nothing */
  messages(): string[] {
    const sorted = [...this.counts].sort(
      ([one, first], [other, second]) => second.times - first.times || (one < other ? -1 : 1),
    );
    const shown = sorted.slice(0, sorted.length > MESSAGES_MAX ? MESSAGES_MAX - 1 : MESSAGES_MAX);
    const hidden = sorted.slice(shown.length);
    const words = hidden.reduce((sum, [, count]) => sum + count.words, 0);
    return [
      ...shown.map(
        ([message, { times, words: gone }]) => written(message, times) + wordsGone(gone),
      ),
      ...(hidden.length > 0
        ? [`and ${hidden.length} more kinds of markup removed${wordsGone(words)}`]
        : []),
    ];
  }

  private addVisibleAttributes(tag: string, given: Attributes, kept: Attributes): void {
    let hasHandler = false;
    for (const [name, value] of Object.entries(given)) {
      if (/^on[a-z]/.test(name)) hasHandler = true;
      const isVisible =
        VISIBLE_ATTRIBUTES.has(name) || (LIST_TAGS.has(tag) && LIST_ATTRIBUTES.has(name));
      if (isVisible && !kept[name] && !VALUES_WITHOUT_EFFECT[name]?.test(value)) {
        this.add(`${name} on % element(s) removed`);
      }
      if (name === 'srcset') this.addPictures(value, kept[name]);
    }
    if (hasHandler) this.add(HANDLERS_MESSAGE);
  }

  /** Counts a `srcset` that has lost some of its pictures. */
  private addPictures(given: string, kept?: string): void {
    if (kept === undefined) return;
    const [before, after] = [given, kept].map((value) => srcsetCandidates(value).length);
    if (before !== after) this.add(SRCSET_MESSAGE);
  }

  private add(message: string, words = 0): void {
    const count = this.counts.get(message);
    this.counts.set(message, {
      times: (count?.times ?? 0) + 1,
      words: (count?.words ?? 0) + words,
    });
  }
}

function written(message: string, times: number): string {
  return message.replace('%', String(times)).replace('(s)', times === 1 ? '' : 's');
}

function wordsGone(words: number): string {
  return words === 0 ? '' : `, with ${words} ${words === 1 ? 'word' : 'words'}`;
}
