import type { Token } from 'parse5';
import { escapeHtml } from '../../../platform/text/escape-html.js';
import { percentDecoded } from '../../../platform/text/percent-decoded.js';
import { placeOf, readTags, withEdits, type Edit, type Place } from '../html/source-edits.js';
import { articleNameIn, type ArticleLinks } from './article-links.js';
import { languageClass } from './code-language.js';
import { giveGithubIds, HeadingIndex, type Heading } from './heading-ids.js';

export interface LinkedHtml {
  readonly html: string;
  readonly notes: readonly string[];
}

interface LinkOptions {
  /** Names the article in the source. */
  readonly source: string;
  readonly links: ArticleLinks;
  /** Whether headings get the ids that generators make of their texts. */
  readonly givesIds?: boolean;
}

interface FoundHeading extends Heading {
  readonly originalId: string;
  /** Where an id is written: the position after the name of the element. */
  readonly at: number;
  readonly isHeading: boolean;
  text: string;
  id: string;
}

interface FoundLink {
  readonly href: string;
  /** The place of the attribute. */
  readonly place: Place;
  readonly tag: Place;
  endTag: Place | null;
  hasContent: boolean;
}

/**
 * Leads the links of an article to the new addresses of other articles and to its own headings, whose ids
 * generators make in several ways, and writes the languages of code as the API has them. Nothing else changes.
 * The time is linear.
 */
export function withLinks(
  html: string,
  { source, links, givesIds = false }: LinkOptions,
): LinkedHtml {
  const found = new HtmlReader(html);
  const headings = found.headings.filter(({ isHeading }) => isHeading);
  if (givesIds) giveGithubIds(headings);
  const index = new HeadingIndex(found.headings);
  const edits: Edit[] = [...found.edits];
  const notes = new Set<string>();
  let lost = 0;
  for (const { href, place, tag, endTag, hasContent } of found.links) {
    const target = links.resolve(href, source);
    const name = articleNameIn(href);
    if (target) {
      edits.push({ ...place, text: `href="${escapeHtml(target.url)}"` });
      if (!hasContent && endTag) {
        const { start } = endTag;
        edits.push({ start, end: start, text: escapeHtml(target.title ?? '') });
      }
    } else if (name !== null) {
      notes.add(`text: no imported article for the link to "${name}"`);
      edits.push({ ...tag, text: hasContent ? '' : escapeHtml(name) });
      if (endTag) edits.push({ ...endTag, text: '' });
    } else if (/^#./.test(href) && !/^#top$/i.test(href)) {
      const heading = index.find(href.slice(1));
      if (!heading) {
        lost += 1;
        continue;
      }
      if (heading.id === '') heading.id = percentDecoded(href.slice(1));
      edits.push({ ...place, text: `href="#${escapeHtml(encodeURIComponent(heading.id))}"` });
    }
  }
  for (const { id, originalId, at } of headings) {
    if (originalId === '' && id !== '')
      edits.push({ start: at, end: at, text: ` id="${escapeHtml(id)}"` });
  }
  if (lost > 0) {
    const links = lost === 1 ? '1 link leads' : `${lost} links lead`;
    notes.add(`text: ${links} to headings that it does not have`);
  }
  return { html: withEdits(html, edits), notes: [...notes] };
}

/** Reads the headings, links and blocks of code of a text. */
class HtmlReader {
  readonly headings: FoundHeading[] = [];
  readonly links: FoundLink[] = [];
  readonly edits: Edit[] = [];
  private heading: FoundHeading | null = null;
  private readonly openLinks: FoundLink[] = [];

  constructor(html: string) {
    readTags(html, {
      onStartTag: (token) => this.start(token),
      onEndTag: (token) => this.end(token),
      onText: (text) => this.addText(text),
    });
  }

  private start({ tagName, attrs, location }: Token.TagToken): void {
    if (!location) return;
    const attributes = new Map(attrs.map(({ name, value }) => [name, value]));
    const id = attributes.get('id') ?? (tagName === 'a' ? attributes.get('name') : undefined) ?? '';
    const isHeading = /^h[1-6]$/.test(tagName);
    const at = location.startOffset + 1 + tagName.length;
    if (isHeading || id !== '') {
      const heading = { text: '', id, originalId: id, at, isHeading };
      this.headings.push(heading);
      if (isHeading) this.heading = heading;
    }
    const place = location.attrs?.['href'];
    if (tagName === 'a' && place) {
      const link = {
        href: attributes.get('href') ?? '',
        place: placeOf(place),
        tag: placeOf(location),
        endTag: null,
        hasContent: false,
      };
      this.links.push(link);
      this.openLinks.push(link);
    } else if (tagName === 'img') this.addText('\0');
    if (tagName === 'pre' || tagName === 'code')
      this.addLanguage(attributes, at, location.attrs?.['class']);
  }

  private addLanguage(
    attributes: ReadonlyMap<string, string>,
    at: number,
    place: Token.Location | undefined,
  ): void {
    const name = languageClass(attributes);
    if (name === null) return;
    const attribute = `class="${escapeHtml(name)}"`;
    this.edits.push(
      place
        ? { ...placeOf(place), text: attribute }
        : { start: at, end: at, text: ` ${attribute}` },
    );
  }

  private end({ tagName, location }: Token.TagToken): void {
    if (/^h[1-6]$/.test(tagName)) this.heading = null;
    const link = tagName === 'a' ? this.openLinks.pop() : undefined;
    if (link && location) link.endTag = placeOf(location);
  }

  private addText(text: string): void {
    if (this.heading && text !== '\0') this.heading.text += text;
    const link = this.openLinks.at(-1);
    if (link && text.trim() !== '') link.hasContent = true;
  }
}
