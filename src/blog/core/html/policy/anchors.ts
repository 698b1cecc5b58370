import { percentDecoded } from '../../../../platform/text/percent-decoded.ts';
import { dashedId, dashedWords } from '../../text/slugs/dashed-words.ts';
import { visibleText, withoutReferences } from '../../text/visible-text.ts';

/**
 * The prefix of every id. No name of a property of `window` or `document` starts with it, so no id
 * can replace such a property. The other ids of a page that shows the article must not start with it
 * either (docs/security.md), so that they differ from the ids of the article.
 */
const PREFIX = 'h-';

/** Longest name in code points. The name within an id is the id without prefix and number. */
const NAME_MAX = 64;

/** An id that `setAnchors` may have made: 80 characters leave room for NAME_MAX, a dash and a number. */
const MADE_ID = /^h-[\p{L}\p{M}\p{N}_.:-]{1,80}$/u;

/** The name for a heading without a letter or digit. */
const FALLBACK_NAME = 'section';

/** How much of a heading is read to make an id, in characters of HTML. */
const HEADING_READ_MAX = 1_000;

/**
 * Start tags of headings, of elements with an `id`, `name` or `headers`, and of links with a
 * fragment, and the tags of `span`. No attribute value contains `>`, because sanitize-html escapes it.
 */
const TAG =
  /<(?:(\/span>)|(h[1-6]|span|[a-z][a-z\d]*(?=(?: [a-z]+="[^"]*")*? (?:(?:id|name|headers)="|href="#)))((?: [a-z]+="[^"]*")*)( ?\/?>))/g;
const HEADING = /^h[1-6]$/;

/** A heading, or another element that has an id or links to one. */
interface Element {
  readonly tagName: string;
  readonly attributes: string;
  /** The end of the start tag: `>` or ` />`. */
  readonly closing: string;
  readonly isHeading: boolean;
  /**
   * Names by which a fragment in the source may refer to the element: its `id`, then the `name` of
   * an `a`.
   */
  readonly sourceIds: readonly string[];
  /** The fragment of the element's `href`; '' for none. */
  readonly fragment: string;
  /** The ids of header cells in `headers`. */
  readonly headers: readonly string[];
  /** Where the content of the element begins: the position after the start tag. */
  readonly contentStart: number;
  /** The id that the element gets; '' for none. */
  id: string;
}

/** A tag of an element that may have to be rewritten. */
interface Tag {
  readonly start: number;
  readonly end: number;
  readonly element: Element;
  readonly isEndTag: boolean;
}

/** A text with ids. */
export interface AnchoredText {
  readonly text: string;
  /**
   * Number of characters that the ids add, including the links to them and the `span` elements that
   * carry them.
   */
  readonly idLength: number;
}

/**
 * Gives the anchors of an article their ids. An anchor is a heading, or an element to which a link
 * of the article leads. An author's id gets the prefix, and the links to this id are changed too. A
 * heading without an id gets one that is made from its text. Other ids are dropped, and with them
 * the `span` elements that only carried an id.
 *
 * All ids differ. A second call changes nothing. The time is linear.
 *
 * @param text what sanitize-html wrote, with the ids of the author, or those of an earlier call
 */
export function setAnchors(text: string): AnchoredText {
  const tags = tagsOf(text);
  if (tags.length === 0) return { text, idLength: 0 };
  const elements = tags.flatMap(({ element, isEndTag }) => (isEndTag ? [] : [element]));
  const owners = ownersOf(elements);
  const targets = new Set(
    elements.flatMap(({ fragment, headers }) => [
      targetOf(fragment, owners),
      ...headers.map((id) => headerOf(id, owners)),
    ]),
  );
  const anchors = elements.filter((element) => element.isHeading || targets.has(element));
  giveIds(anchors, owners, text);
  const byNewId = new Map(anchors.map((anchor) => [anchor.id, anchor]));
  // The author may have linked to the id that a heading without an id has just been given.
  const idOf = (fragment: string): string | undefined =>
    (targetOf(fragment, owners) ?? targetOf(fragment, byNewId))?.id;
  const headersOf = ({ headers }: Element): string =>
    [...new Set(headers.map((id) => headerOf(id, owners)?.id))].filter(Boolean).join(' ');
  return rewrite(text, tags, idOf, headersOf);
}

/** The tags that TAG finds, in document order. An end tag refers to the element of its start tag. */
function tagsOf(text: string): Tag[] {
  const tags: Tag[] = [];
  const openSpans: Element[] = [];
  for (const match of text.matchAll(TAG)) {
    const [tag, endOfSpan, tagName = '', attributes = '', closing = ''] = match;
    const end = match.index + tag.length;
    const element = endOfSpan
      ? openSpans.pop()
      : elementOf({ tagName, attributes, closing, contentStart: end });
    if (!element) continue;
    tags.push({ start: match.index, end, element, isEndTag: endOfSpan !== undefined });
    if (tagName === 'span') openSpans.push(element);
  }
  return tags;
}

function elementOf(
  tag: Pick<Element, 'tagName' | 'attributes' | 'closing' | 'contentStart'>,
): Element {
  const valueOf = (pattern: RegExp) =>
    tag.attributes === '' ? '' : withoutReferences(pattern.exec(tag.attributes)?.[1] ?? '');
  return {
    ...tag,
    isHeading: HEADING.test(tag.tagName),
    sourceIds: [valueOf(/ id="([^"]*)"/), valueOf(/ name="([^"]*)"/)],
    fragment: valueOf(/ href="#([^"]*)"/),
    headers: valueOf(/ headers="([^"]*)"/).match(/\S+/g) ?? [],
    id: '',
  };
}

/**
 * The element that each source id means: the first one that has it. As in browsers, a `name` counts
 * only if no element has an equal `id`.
 */
function ownersOf(elements: readonly Element[]): ReadonlyMap<string, Element> {
  const owners = new Map<string, Element>();
  for (const index of [0, 1]) {
    for (const element of elements) {
      const sourceId = element.sourceIds[index] ?? '';
      if (sourceId !== '' && !owners.has(sourceId)) owners.set(sourceId, element);
    }
  }
  return owners;
}

/**
 * Finds the element as browsers do: by the fragment as it is written, then without
 * percent-encoding.
 */
function targetOf(fragment: string, byId: ReadonlyMap<string, Element>): Element | undefined {
  return (
    byId.get(fragment) ?? (fragment.includes('%') ? byId.get(percentDecoded(fragment)) : undefined)
  );
}

/** The cell that `headers` of another cell names. */
function headerOf(id: string, owners: ReadonlyMap<string, Element>): Element | undefined {
  const owner = owners.get(id);
  return owner && /^t[dh]$/.test(owner.tagName) && owner.sourceIds[0] === id ? owner : undefined;
}

/** Sets the `id` of each anchor. An id that an earlier call has made stays. */
function giveIds(
  anchors: readonly Element[],
  owners: ReadonlyMap<string, Element>,
  text: string,
): void {
  const taken = new Set<string>();
  for (const anchor of anchors) {
    const [id = ''] = anchor.sourceIds;
    if (owners.get(id) !== anchor || !MADE_ID.test(id) || dashedId(id) !== id) continue;
    anchor.id = id;
    taken.add(id);
  }
  // The last number that each name was given, so that 10,000 equal headings need only 10,000 steps.
  const numbers = new Map<string, number>();
  for (const anchor of anchors) {
    if (anchor.id !== '') continue;
    const name = nameOf(anchor, text);
    let number = numbers.get(name) ?? 0;
    do {
      number += 1;
      anchor.id = number === 1 ? `${PREFIX}${name}` : `${PREFIX}${name}-${number}`;
    } while (taken.has(anchor.id));
    numbers.set(name, number);
    taken.add(anchor.id);
  }
}

/** The name within an element's id: made from the id in the source, else from the text of a heading. */
function nameOf({ sourceIds, tagName, contentStart }: Element, text: string): string {
  const sourceId = sourceIds.find((id) => id !== '');
  if (sourceId !== undefined) {
    const given = sourceId.startsWith(PREFIX) ? sourceId.slice(PREFIX.length) : sourceId;
    return usableName(dashedId(given));
  }
  const [html = ''] = text
    .slice(contentStart, contentStart + HEADING_READ_MAX)
    .split(`</${tagName}>`, 1);
  // Drops a tag that HEADING_READ_MAX has cut in two.
  const heading = visibleText(html.replace(/<[^>]*$/, ''));
  return usableName(dashedWords(heading, 'id').replace(/^[-.:]+|[-.:]+$/g, ''));
}

function usableName(name: string): string {
  // A code point has one or two code units.
  const short = Array.from(name.slice(0, 2 * NAME_MAX))
    .slice(0, NAME_MAX)
    .join('');
  return /[\p{L}\p{N}]/u.test(short) ? short : FALLBACK_NAME;
}

/**
 * Writes the tags with their new ids and links.
 *
 * @param idOf returns the id to which a fragment leads; undefined leaves the link as it is
 * @param headersOf returns the new value of an element's `headers`; '' removes it
 */
function rewrite(
  text: string,
  tags: readonly Tag[],
  idOf: (fragment: string) => string | undefined,
  headersOf: (element: Element) => string,
): AnchoredText {
  let result = '';
  let copiedTo = 0;
  let idLength = 0;
  for (const { start, end, element, isEndTag } of tags) {
    const target = idOf(element.fragment);
    const headers = headersOf(element);
    const written = tagOf(element, isEndTag, { id: element.id, target, headers });
    const unlinked = { id: '', target: target && '', headers: headers && '' };
    idLength += written.length - tagOf(element, isEndTag, unlinked).length;
    result += text.slice(copiedTo, start) + written;
    copiedTo = end;
    // Parsers drop a line break behind `<pre>`, but not behind the `span` that has just gone.
    if (written === '' && text[end] === '\n' && endsWithPre(result)) result += '\n';
  }
  return { text: result + text.slice(copiedTo), idLength };
}

function endsWithPre(html: string): boolean {
  return html.endsWith('>') && html.startsWith('<pre', html.lastIndexOf('<'));
}

/** What `rewrite` writes into a tag. A `target` of undefined leaves the link as it is. */
interface NewValues {
  readonly id: string;
  readonly target: string | undefined;
  readonly headers: string;
}

function tagOf(element: Element, isEndTag: boolean, { id, target, headers }: NewValues): string {
  const { tagName, attributes, closing } = element;
  const others = attributes.replace(/ (?:id|name|headers)="[^"]*"/g, '');
  if (tagName === 'span' && id === '' && others === '') return '';
  if (isEndTag) return `</${tagName}>`;
  const linked =
    target === undefined ? others : others.replace(/ href="#[^"]*"/, ` href="#${target}"`);
  const named = id === '' ? '' : ` id="${id}"`;
  return `<${tagName}${named}${linked}${headers === '' ? '' : ` headers="${headers}"`}${closing}`;
}
