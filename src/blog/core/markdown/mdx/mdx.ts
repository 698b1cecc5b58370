import { escapeHtml } from '../../../../platform/text/escape-html.ts';
import type { Marks } from '../marks.ts';
import { OpenTags } from '../open-tags.ts';
import type { Read, Rule } from '../outside-code.ts';
import { componentHtml, type ComponentHtml } from './components.ts';
import { endOfBrackets, LENGTH_MAX, literalOf, pathOf } from './expressions.ts';
import { jsxTagAt, type JsxTag, type JsxValue } from './jsx-tag.ts';

/** The beginning of a block of imports and exports, which an empty line ends. */
const MODULE =
  /(?:import\s*(?:[\w*{"'$])|export\s+(?:default|const|let|var|function|async|class|\{|\*))/y;
const IMPORT = /import\s+(\w+)\s*(?:,\s*\{[^}]*\}\s*)?from\s*["']([^"'\n]+)["']/g;
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif)(?:\?.*)?$/i;

/** Number of failures after which only short expressions are read. */
const FAILED_MAX = 200;

const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);
/** Attributes that JSX names in another way than HTML. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['classname', 'class'],
  ['htmlfor', 'for'],
]);

/**
 * Reads what MDX adds to Markdown: modules, comments, expressions, and elements of JSX, which may be components. An
 * expression stays as it is written, unless it is a text; of a component that is not known its content is kept.
 */
export class Mdx {
  readonly notes = new Set<string>();
  private readonly marks: Marks;
  /** The paths of imported pictures by their names. */
  private readonly imported = new Map<string, string>();
  /** The open components that are known. */
  private readonly open = new OpenTags<ComponentHtml>();
  /** Number of braces and brackets that began nothing, or that never end. */
  private failed = 0;

  constructor(marks: Marks) {
    this.marks = marks;
  }

  readonly read: Rule = (text, at) => {
    const read = this.readAt(text, at);
    if (!read) this.failed += 1;
    return read;
  };

  /** Longest expression or tag: a text with many that do not end takes no longer than others. */
  private get max(): number {
    return this.failed < FAILED_MAX ? LENGTH_MAX : 300;
  }

  private readAt(text: string, at: number): Read | null {
    if (text[at] === '{') return this.expression(text, at);
    return text[at] === '<' ? this.element(text, at) : this.module(text, at);
  }

  private module(text: string, at: number): Read | null {
    MODULE.lastIndex = at;
    const isParagraph = at > 0 && !/\n[ \t]*\n$|^\s*$/.test(text.slice(Math.max(0, at - 200), at));
    if (isParagraph || !MODULE.test(text)) return null;
    let end = at;
    // A module goes on while lines follow, and while a bracket is open.
    while (end < text.length && text[end] !== '\n') {
      const line = text.indexOf('\n', end);
      const lineEnd = line === -1 ? text.length : line;
      const bracket = text.slice(end, lineEnd).search(/[{([]\s*$/);
      const closed = bracket === -1 ? null : endOfBrackets(text, end + bracket, this.max);
      if (bracket !== -1 && closed === null) this.failed += 1;
      const next = closed === null ? lineEnd : text.indexOf('\n', closed);
      end = next === -1 ? text.length : next + 1;
    }
    const module = text.slice(at, end);
    for (const [, name = '', path = ''] of module.matchAll(IMPORT)) {
      if (IMAGE.test(path)) this.imported.set(name, path);
    }
    return { end, text: '' };
  }

  private expression(text: string, at: number): Read | null {
    // `{#id}` is the id of a heading, and two braces are no expression of MDX.
    if (/^\{(?:#[\w-]+\}|[{%])/.test(text.slice(at, at + 100))) return null;
    const end = endOfBrackets(text, at, this.max);
    if (end === null) return null;
    const content = text.slice(at + 1, end - 1);
    const [comment, marked, bare] =
      /^\s*\/\*\s*(?:#([\w-]+)|([\w-]+)\s*\*\/\s*$)/.exec(content) ?? [];
    if (marked !== undefined || (comment !== undefined && endsHeading(text, at, end))) {
      return { end, text: `{#${marked ?? bare}}` };
    }
    if (/^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/.test(content)) return { end, text: '' };
    const source = text.slice(at, end);
    const literal = literalOf(content);
    if (literal !== null) return { end, text: this.marks.inline(escapeHtml(literal), source) };
    this.notes.add('text: expressions of MDX stay as they are written');
    return { end, text: this.marks.kept(source) };
  }

  private element(text: string, at: number): Read | null {
    const tag = jsxTagAt(text, at, this.max);
    if (!tag) return null;
    const { name, end } = tag;
    const source = text.slice(at, end);
    const isComponent = /^[A-Z]|\./.test(name);
    if (name === '') return { end, text: this.marks.block('', source) };
    if (!isComponent) return { end, text: this.marks.block(this.htmlTag(tag), source) };
    const html = this.component(tag);
    const mark = this.marks.block(html.html, source);
    if (!html.isBlock) return { end, text: mark };
    // A block with its content in one line gets lines of its own, within its list.
    const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
    const isFirst = line.trim() === '';
    const isLast = /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 100));
    const gap = `\n\n${/^[ \t]*/.exec(line)![0]}`;
    return { end, text: `${isLast && !isFirst ? gap : ''}${mark}${isFirst && !isLast ? gap : ''}` };
  }

  private component({ name, isEnd, isSelfClosed, attributes }: JsxTag): {
    readonly html: string;
    readonly isBlock: boolean;
  } {
    if (isEnd) {
      const { end = '', isBlock = false } = this.open.end(name) ?? {};
      return { html: end, isBlock };
    }
    const known = componentHtml(name, this.valuesOf(attributes));
    if (!known) {
      this.notes.add(
        `text: the component "${name}" is left out with its attributes; what it holds is kept`,
      );
      return { html: '', isBlock: false };
    }
    if (isSelfClosed) return { html: known.start + known.end, isBlock: known.isBlock };
    this.open.begin(name, known);
    return { html: known.start, isBlock: known.isBlock };
  }

  /** The tag as HTML. An element that HTML does not let close itself gets an end tag. */
  private htmlTag({ name, isEnd, isSelfClosed, attributes }: JsxTag): string {
    if (isEnd) return `</${name}>`;
    const written = Object.entries(this.valuesOf(attributes)).map(
      ([attribute, value]) => ` ${RENAMED.get(attribute) ?? attribute}="${escapeAttribute(value)}"`,
    );
    const end = isSelfClosed && !VOID.has(name) ? `</${name}>` : '';
    return `<${name}${written.join('')}>${end}`;
  }

  /** The attributes whose values are known here. */
  private valuesOf(attributes: JsxTag['attributes']): Record<string, string> {
    const values = Object.entries(attributes).map(([name, value]) => [
      name.toLowerCase(),
      this.valueOf(value),
    ]);
    return Object.fromEntries(values.filter(([, value]) => value !== null)) as Record<
      string,
      string
    >;
  }

  private valueOf(value: JsxValue): string | null {
    if (value === null) return '';
    if ('text' in value) return value.text;
    const { expression } = value;
    const name = expression.trim().replace(/\.(?:default|src)$/, '');
    return literalOf(expression) ?? pathOf(expression) ?? this.imported.get(name) ?? null;
  }
}

/** Values of JSX may hold character references already. */
function escapeAttribute(value: string): string {
  return value.replace(/"/g, '&quot;').replace(/</g, '&lt;');
}

/** Whether a part of a text is the end of a heading. */
function endsHeading(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - 500), at);
  return (
    /(?:^|\n)#{1,6}[ \t][^\n]*$/.test(before) && /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 100))
  );
}
