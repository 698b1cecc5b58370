import { TAGS_DROPPED_WITH_CONTENT } from './elements.ts';

type Attributes = Readonly<Record<string, string>>;

/**
 * Forbidden elements of which browsers show nothing. Neither they nor their attributes are counted.
 */
const INVISIBLE_TAGS: ReadonlySet<string> = new Set(
  'head title template noframes noembed datalist meta source rp'.split(' '),
);

/** Forbidden elements whose content looks the same without them. */
const NEUTRAL_TAGS: ReadonlySet<string> = new Set(
  (
    'html body div span section article aside nav header footer main hgroup address search slot ' +
    'time data label legend output picture wbr bdi'
  ).split(' '),
);

/** Forbidden elements without content. */
const VOID_TAGS =
  'input embed frame param track base link col area image keygen bgsound basefont'.split(' ');

/** Forbidden elements whose content is kept, although it then looks or works differently. */
const UNWRAPPED_TAGS = (
  'form fieldset font big center tt strike nobr marquee blink bdo acronym ruby rt rtc map dialog ' +
  'menu dir meter progress colgroup portal fencedframe'
).split(' ');

/**
 * The messages about forbidden elements, by element name; `%` stands for the number, `(s)` for a
 * plural.
 */
const MESSAGE_BY_TAG: ReadonlyMap<string, string> = new Map([
  ...[...TAGS_DROPPED_WITH_CONTENT, ...VOID_TAGS].map((tag) => [tag, `% ${tag} removed`] as const),
  ...UNWRAPPED_TAGS.map((tag) => [tag, `% ${tag} removed, content kept`] as const),
]);

/**
 * The message about elements that no table here names. It does not repeat their names: a text may
 * have 100,000 different ones.
 */
const UNKNOWN_MESSAGE = '% unknown element(s) removed, content kept';

const LINK_MESSAGE = '% link URL(s) removed: only http, https, mailto, /path and #id are allowed';
const IMAGE_MESSAGE = '% img removed: only http, https and /path URLs are allowed';
const HANDLERS_MESSAGE = 'event handlers on % element(s) removed';

/** Attributes that change what a reader sees. They are counted where they are not allowed. */
const VISIBLE_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'style title align valign bgcolor background border bordercolor cellpadding cellspacing color ' +
    'face size hspace vspace nowrap width height colspan rowspan dir hidden open'
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
  border: /^0$/,
};

/** Largest number of messages. If there are more, the last one says how many are left out. */
const MESSAGES_MAX = 20;

/**
 * Counts what cleaning removes from a text, as far as a reader would notice. The tables above limit
 * the number of different messages, whatever the text contains.
 */
export class Removals {
  /** How often each message applies. */
  private readonly counts = new Map<string, number>();

  /**
   * Counts the attributes that an allowed element has lost.
   *
   * @param kept the attributes that stay; a refused one may be there with the value ''
   */
  addAttributes(tag: string, given: Attributes, kept: Attributes): void {
    if (tag === 'img' && !kept['src']) {
      if (given['src'] || given['srcset'] || given['alt']) this.add(IMAGE_MESSAGE);
      return;
    }
    if (tag === 'a' && given['href']?.trim() && !kept['href']) this.add(LINK_MESSAGE);
    this.addVisibleAttributes(tag, given, kept);
  }

  /** Counts a forbidden element. sanitize-html passes none inside an element that is removed with its content. */
  addElement(tag: string, given: Attributes): void {
    if (INVISIBLE_TAGS.has(tag)) return;
    const message = MESSAGE_BY_TAG.get(tag);
    if (message === undefined) {
      if (!NEUTRAL_TAGS.has(tag)) this.add(UNKNOWN_MESSAGE);
      this.addVisibleAttributes(tag, given, {});
    } else {
      // Only the element is counted: its attributes have no effect without it.
      this.add(message);
    }
  }

  /** @returns the messages, the most frequent first; [] when a reader would notice nothing */
  messages(): string[] {
    const sorted = [...this.counts].sort(
      ([one, oneCount], [other, otherCount]) => otherCount - oneCount || (one < other ? -1 : 1),
    );
    const shown = sorted.slice(0, sorted.length > MESSAGES_MAX ? MESSAGES_MAX - 1 : MESSAGES_MAX);
    const more = sorted.length - shown.length;
    return [
      ...shown.map(([message, count]) =>
        message.replace('%', String(count)).replace('(s)', count === 1 ? '' : 's'),
      ),
      ...(more > 0 ? [`and ${more} more kinds of markup removed`] : []),
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
    }
    if (hasHandler) this.add(HANDLERS_MESSAGE);
  }

  private add(message: string): void {
    this.counts.set(message, (this.counts.get(message) ?? 0) + 1);
  }
}
