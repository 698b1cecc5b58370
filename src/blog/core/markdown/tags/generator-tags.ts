import type { Marks } from '../marks.ts';
import { OpenTags } from '../open-tags.ts';
import type { Read, Rule } from '../outside-code.ts';
import { codeBlock, linkTo } from './elements.ts';
import { argumentOf, tagArguments } from './tag-arguments.ts';
import { CODE_TAGS, CONTAINERS, TAGS, type TagOutput } from './tag-table.ts';

/** Longest tag that is read, in characters. */
const TAG_MAX = 5_000;

/**
 * A tag of Liquid, Nunjucks, Hugo, Zola or WordPress: `{% name … %}`, `{{< name … >}}`, `{{< /name >}}`,
 * `{{ name(…) }}`, `[name …]`.
 */
interface Tag {
  readonly name: string;
  readonly rest: string;
  readonly isEnd: boolean;
  /** Whether it is one of Zola, which all end with `{% end %}`. */
  readonly isCall: boolean;
  /** What the author wrote. */
  readonly source: string;
  readonly start: number;
  readonly end: number;
}

const OPENERS = [
  ['{%', '%}'],
  ['{{<', '>}}'],
  ['{{%', '%}}'],
  ['{{', '}}'],
  ['[', ']'],
] as const;

/** Matches an object in an attribute of JSX: `style={{ width: 1 }}`. */
const OBJECT = /(?<==)\{\{\s{0,20}(?:[\w'"-]{1,50}\s{0,20}:|\.{3}|\}\})/y;

/** Links to the site itself, whose address is left out. */
const SITE = /^-?\s*(?:site|page)\.(?:baseurl|base_url|url)\s*-?$/;
const FILTERED_PATH =
  /^-?\s*["']([^"'{}]*)["']\s*\|\s*(?:relative_url|absolute_url|url|prepend:\s*site\.\w+)(?:\s*\|\s*(?:relative_url|absolute_url|prepend:\s*site\.\w+))?\s*-?$/;

/**
 * Reads the tags of generators: shortcodes of Hugo, and tags of Liquid (Jekyll), Nunjucks (Eleventy, Hexo) and
 * Zola. What has an equal in HTML becomes that, the rest stays as it is written.
 */
export class GeneratorTags {
  /** The names of the tags that stay. */
  readonly kept = new Set<string>();
  private readonly marks: Marks;
  /** The open containers, each with what stands in place of its end tag. */
  private readonly open = new OpenTags<string>();
  /** The next end tag of each kind; null if there is none any more. Tags are read in the order of the text. */
  private readonly ends = new Map<string, { start: number; end: number } | null>();

  constructor(marks: Marks) {
    this.marks = marks;
  }

  readonly read: Rule = (text, at) => {
    if (text.startsWith('{{/*', at)) return commentOfHugo(text, at);
    if (text.startsWith('{:', at)) return extensionOfKramdown(text, at);
    OBJECT.lastIndex = at;
    if (OBJECT.test(text)) return null;
    const opener = OPENERS.find(([start]) => text.startsWith(start, at));
    const tag = opener && tagAt(text, at, opener);
    if (!tag) return null;
    if (opener[0] === '[') return this.raw(text, tag);
    if (opener[0] === '{{') return tag.isCall ? this.alone(tag) : this.value(tag);
    if (/^\/\*/.test(tag.rest))
      return { end: tag.end, text: this.marks.kept(unescaped(tag.source)) };
    return this.raw(text, tag) ?? this.container(text, tag) ?? this.alone(tag);
  };

  /** `{{ … }}`: an address of the site itself, or something that only the generator knows. */
  private value({ rest, source, end }: Tag): Read {
    if (SITE.test(rest)) return { end, text: this.marks.value('', source) };
    const path = FILTERED_PATH.exec(rest)?.[1];
    if (path !== undefined) return { end, text: this.marks.value(path, source) };
    this.kept.add(/[\w.]+/.exec(rest)?.[0] ?? source);
    return { end, text: this.marks.kept(source) };
  }

  /** A tag whose content is no markup: code, a comment, or a text that shows tags. */
  private raw(text: string, tag: Tag): Read | null {
    if (tag.isEnd) return null;
    const language = CODE_TAGS.get(tag.name);
    if (!language && !['raw', 'verbatim', 'comment'].includes(tag.name)) return null;
    const close = this.endOf(text, tag);
    if (!close) return null;
    const content = text.slice(tag.end, close.start);
    const source = text.slice(tag.start, close.end);
    if (language) {
      const html = codeBlock(content, language(tag.rest));
      return { end: close.end, text: this.marks.block(html, source) };
    }
    return { end: close.end, text: tag.name === 'comment' ? '' : content };
  }

  /** The beginning or the end of a container whose content is Markdown. */
  private container(text: string, tag: Tag): Read | null {
    const { end, source } = tag;
    if (tag.isEnd) {
      const html = this.open.end(tag.name);
      return html === undefined ? null : { end, text: this.marks.block(html, source) };
    }
    const container = CONTAINERS.get(tag.name);
    if (!container) return null;
    const name = tag.isCall ? '' : tag.name;
    const output = this.endOf(text, { ...tag, name }) && container[0](tagArguments(tag.rest));
    if (!output || !('html' in output)) return null;
    this.open.begin(name, container[1]);
    return { end, text: this.marks.block(output.html, source) };
  }

  private alone(tag: Tag): Read {
    const { name, rest, source, end, isEnd } = tag;
    const output: TagOutput = isEnd ? null : (TAGS.get(name)?.(tagArguments(rest)) ?? null);
    if (output === null) {
      this.kept.add(name || 'end');
      return { end, text: this.marks.kept(source) };
    }
    if ('text' in output) {
      const html = linkTo(output.text, argumentOf(tagArguments(rest), ['path', 'page']));
      return { end, text: this.marks.value(output.text, source, html) };
    }
    const isInline = /^<(?:a|img)\b/.test(output.html);
    return { end, text: this.marks[isInline ? 'inline' : 'block'](output.html, source) };
  }

  /** The end tag of a tag, which may be `endname` or `/name`. */
  private endOf(text: string, { name, end, source }: Tag): { start: number; end: number } | null {
    const [opener = ''] = OPENERS.find(([start]) => source.startsWith(start)) ?? [];
    const key = `${opener} ${name}`;
    const known = this.ends.get(key);
    if (known === null || (known && known.start >= end)) return known;
    const pattern =
      opener === '{%'
        ? `\\{%-?\\s*end${name}\\s*-?%\\}`
        : opener === '['
          ? `\\[/${name}\\]`
          : `\\{\\{[<%]\\s*/\\s*${name}\\s*[>%]\\}\\}`;
    const search = new RegExp(pattern, 'gi');
    search.lastIndex = end;
    const match = search.exec(text);
    const found = match && { start: match.index, end: search.lastIndex };
    this.ends.set(key, found);
    return found;
  }
}

/** A comment of Hugo's templates. */
function commentOfHugo(text: string, at: number): Read | null {
  const end = text.slice(at, at + TAG_MAX).indexOf('*/}}');
  return end === -1 ? null : { end: at + end + 4, text: '' };
}

/** `{::comment}…{:/comment}`, and tags around a text that kramdown leaves alone. */
function extensionOfKramdown(text: string, at: number): Read | null {
  const [tag, name] =
    /^\{:(?::(comment|nomarkdown|options)[^{}\n]*|\/\w{0,20})\}/.exec(text.slice(at, at + 500)) ??
    [];
  if (tag === undefined) return null;
  const end = at + tag.length;
  if (name !== 'comment' || tag.endsWith('/}')) return { end, text: '' };
  const [close, word = ''] = /\{:\/(\w*)\}/.exec(text.slice(end, end + 10 * TAG_MAX)) ?? [];
  if (close === undefined || !'comment'.startsWith(word)) return null;
  return { end: text.indexOf(close, end) + close.length, text: '' };
}

function tagAt(
  text: string,
  start: number,
  [opener, closer]: (typeof OPENERS)[number],
): Tag | null {
  const inner = start + opener.length;
  const at = text.slice(inner, inner + TAG_MAX).indexOf(closer);
  if (at === -1) return null;
  const end = inner + at + closer.length;
  const content = text.slice(inner, inner + at);
  // A tag within a tag is read on its own first.
  if (/\{[{%]/.test(content)) return null;
  const [, slash = '', word = '', rest = ''] =
    /^-?\s*(\/?)\s*([\w./-]*)([\s\S]*)$/.exec(content) ?? [];
  const isEnd = slash !== '' || (opener === '{%' && word.startsWith('end'));
  const name = (isEnd && slash === '' ? word.slice(3) : word).toLowerCase();
  const call = /^\(([^]*)\)\s*-?\s*$/.exec(rest)?.[1];
  const isValue = call === undefined && (opener === '{{' || word === '');
  return {
    name: name.replace(/-$/, ''),
    rest: isValue ? content.trim() : (call ?? rest.replace(/-$/, '').trim()),
    isEnd,
    isCall: call !== undefined,
    source: text.slice(start, end),
    start,
    end,
  };
}

/** The tag that an escaped one of Hugo shows: without the comment signs within its braces. */
function unescaped(source: string): string {
  return source.replace('/*', '').replace('*/', '');
}
