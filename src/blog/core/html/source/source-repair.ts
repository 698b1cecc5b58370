import { isElementName, VOID_NAMES } from '../policy/element-names.ts';
import { hasMediaUrl, isMedia, TAGS_DROPPED_WITH_CONTENT } from '../policy/elements.ts';
import { embedOf, type EmbedHosts } from '../policy/embeds.ts';
import type { Removals } from '../policy/removals.ts';
import { isOrdinarySource } from './ordinary-source.ts';
import {
  hasCode,
  hasRawText,
  SourceReader,
  type SourceTag,
  type SourceVisitor,
} from './source-reader.ts';

const DROPPED: ReadonlySet<string> = new Set(TAGS_DROPPED_WITH_CONTENT);

/** The name of an attribute that shows that a tag is a comparison, as in `a<b && c>d`. */
const OPERATOR = /^(?:&&|\|\|)$/;

/** Replaces a part of the source. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Counts what the edit removes; called if the edit is made in the end. */
  readonly report?: (removals: Removals) => void;
}

/** An element that has begun and not ended. */
interface OpenElement extends SourceTag {
  /** Number of edits before the element. */
  readonly editCount: number;
  /** Number of words before the content of the element. */
  readonly wordCount: number;
  /** The position in `video` and `audio` where the sources at their start end. */
  sourcesEnd: number;
  /** Whether anything but blanks stands between or behind these sources. */
  isBehindSources: boolean;
  /** Whether a `video` or `audio` has something to play. */
  hasSource: boolean;
}

/**
 * Prepares the source of an article for the pass of the cleaner, so that no text is lost because a
 * parser takes it for the content of an element that is removed. The result need not be safe: the
 * cleaner treats it like any source.
 *
 * - An element that is removed with its content ends at its `/>`; without an end tag, only its tags
 *   are removed. But raw text without an end, such as that of a `script`, is removed.
 * - Tags that no author can have meant become text (see `isElementName` and SourceReader).
 *
 * Clean HTML stays as it is.
 */
export function repairSource(source: string, hosts: EmbedHosts, removals?: Removals): string {
  if (isOrdinarySource(source)) return source;
  const repair = new SourceRepair(source, hosts, removals);
  new SourceReader(source, repair).read();
  return repair.finish();
}

class SourceRepair implements SourceVisitor {
  private readonly source: string;
  private readonly hosts: EmbedHosts;
  private readonly removals: Removals | undefined;
  private readonly edits: Edit[] = [];
  private readonly open: OpenElement[] = [];
  /** How many elements of each name are open. */
  private readonly openCounts = new Map<string, number>();
  /** The element whose raw text is being read. */
  private rawText: OpenElement | null = null;
  private words = 0;
  /** Where the content of each `pre` begins. */
  private readonly preStarts = new Set<number>();

  constructor(source: string, hosts: EmbedHosts, removals: Removals | undefined) {
    this.source = source;
    this.hosts = hosts;
    this.removals = removals;
  }

  private get isForeign(): boolean {
    return this.countOpen('svg') + this.countOpen('math') > 0;
  }

  private get isInCode(): boolean {
    const inRawText = this.rawText !== null && hasCode(this.rawText.name);
    return inRawText || this.countOpen('script') + this.countOpen('style') > 0;
  }

  onStartTag(tag: SourceTag): boolean {
    const { name, start, end } = tag;
    if (!isElementName(name) || Object.keys(tag.attributes).some((key) => OPERATOR.test(key))) {
      this.onText(start, end);
      return false;
    }
    if (name === 'pre') this.preStarts.add(end);
    if (name === 'source' || name === 'track') this.addSource(tag);
    if (VOID_NAMES.has(name)) return false;
    const isRawText = hasRawText(name) && !this.isForeign;
    const isEmpty = tag.isSelfClosing && !(isRawText && hasCode(name) && this.endsLater(tag));
    const element = this.openElement(tag);
    if (isRawText && !isEmpty) {
      this.rawText = element;
      return true;
    }
    this.push(element);
    if (isEmpty && (this.isForeign || DROPPED.has(name) || isMedia(name))) this.close(end, end);
    return false;
  }

  onEndTag({ name, start, end }: SourceTag): void {
    const { rawText } = this;
    if (rawText !== null) {
      this.rawText = null;
      this.closeElement(rawText, start, end);
    } else if (!isElementName(name)) {
      this.onText(start, end);
    } else if (this.countOpen(name) > 0) {
      while (this.open.at(-1)?.name !== name) this.closeImplicitly(start);
      this.close(start, end);
    }
  }

  onWord(): void {
    if (!this.isInCode) this.words += 1;
  }

  onHidden(start: number, end: number): void {
    this.edit({ start, end, text: '' });
  }

  onOpenComment(start: number, end: number): void {
    this.edit({ start, end, text: '', report: (removals) => removals.addOpenComment() });
  }

  onText(start: number, end: number): void {
    const text = this.source.slice(start, end).replace(/</g, '&lt;').replace(/>/g, '&gt;');
    this.words += 1;
    this.edit({ start, end, text });
  }

  /** @returns the prepared source */
  finish(): string {
    const { source, rawText } = this;
    if (rawText !== null) this.remove(rawText, source.length, true);
    while (this.open.length > 0) this.closeImplicitly(source.length);
    let result = '';
    let copiedTo = 0;
    for (const { start, end, text, report } of this.edits.sort(
      (one, other) => one.start - other.start,
    )) {
      if (start < copiedTo) continue;
      if (this.removals) report?.(this.removals);
      // A line break at the start of `pre` is dropped by parsers, but not behind a tag.
      const written = text === '' && this.preStarts.has(start) ? '<wbr>' : text;
      result += source.slice(copiedTo, start) + written;
      copiedTo = end;
    }
    return result + source.slice(copiedTo);
  }

  private openElement(tag: SourceTag): OpenElement {
    return {
      ...tag,
      editCount: this.edits.length,
      wordCount: this.words,
      sourcesEnd: tag.end,
      isBehindSources: false,
      hasSource: hasMediaUrl(tag.attributes),
    };
  }

  private push(element: OpenElement): void {
    this.open.push(element);
    this.openCounts.set(element.name, this.countOpen(element.name) + 1);
  }

  private pop(): OpenElement | undefined {
    const element = this.open.pop();
    if (element) this.openCounts.set(element.name, this.countOpen(element.name) - 1);
    return element;
  }

  private countOpen(name: string): number {
    return this.openCounts.get(name) ?? 0;
  }

  private edit(edit: Edit): void {
    this.edits.push(edit);
  }

  /** Whether the next tag with the name of a self-closing one is an end tag, which then ends the element. */
  private endsLater({ name, end }: SourceTag): boolean {
    const next = new RegExp(`<(/?)${name}(?=[\\s/>])`, 'gi');
    next.lastIndex = end;
    return next.exec(this.source)?.[1] === '/';
  }

  private addSource({ name, attributes, start, end }: SourceTag): void {
    const media = this.open.at(-1);
    if (!media || !isMedia(media.name)) return;
    media.isBehindSources ||= this.source.slice(media.sourcesEnd, start).trim() !== '';
    if (!media.isBehindSources) media.sourcesEnd = end;
    media.hasSource ||= name === 'source' && hasMediaUrl(attributes);
  }

  private close(start: number, end: number): void {
    const element = this.pop();
    if (element) this.closeElement(element, start, end);
  }

  /** Closes an element whose end tag, if it has one, stands between the positions. */
  private closeElement(element: OpenElement, start: number, end: number): void {
    const { name } = element;
    if (name === 'iframe' && embedOf(element.attributes, this.hosts) !== null) {
      this.closeEmbed(element, start, end);
    } else if (isMedia(name) && element.hasSource) {
      if (start === end) this.edit({ start, end, text: `</${name}>` });
    } else if (DROPPED.has(name) || isMedia(name)) {
      this.remove(element, end);
    }
  }

  private closeEmbed(element: OpenElement, start: number, end: number): void {
    const words = wordsOf(this.source.slice(element.end, start));
    const report = (removals: Removals) => removals.addContent(element.name, words);
    this.edit({ start: element.end, end, text: `</${element.name}>`, report });
  }

  /** Closes the innermost element, which has no end tag. */
  private closeImplicitly(position: number): void {
    const element = this.pop();
    if (element === undefined) return;
    const { name, start, end, sourcesEnd } = element;
    if (isMedia(name) && element.hasSource) {
      this.edit({ start: sourcesEnd, end: sourcesEnd, text: `</${name}>` });
    } else if (hasCode(name)) {
      this.remove(element, position, true);
    } else if (DROPPED.has(name) || isMedia(name)) {
      this.edit({ start, end, text: '', report: (removals) => removals.addTag(name) });
    }
  }

  private remove(element: OpenElement, end: number, isEndless = false): void {
    const { name, start } = element;
    const words = this.words - element.wordCount;
    this.edits.length = element.editCount;
    this.edit({
      start,
      end,
      text: '',
      report: (removals) =>
        isEndless
          ? removals.addEndless(name, wordsOf(this.source.slice(element.end, end)))
          : removals.addWhole(name, words),
    });
  }
}

/** Number of words of raw text, which may contain tags. */
function wordsOf(rawText: string): number {
  return rawText.replace(/<[^<>]*>/g, ' ').match(/\S+/g)?.length ?? 0;
}
