import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';
import { OperatorError } from '../../../platform/config/operator.error.js';

/** Number of bytes that are read at a time. */
const CHUNK = 256 * 1_024;

/** Elements of an item that contain elements themselves. */
const NESTED: ReadonlySet<string> = new Set(['wp:postmeta', 'wp:comment']);

/** A category or tag, written as `<category domain="post_tag" nicename="a-tag">A tag</category>`. */
export interface WxrTerm {
  readonly domain: string;
  readonly name: string;
  readonly nicename: string;
}

/** An `<item>`: an article, a page, an attachment, or something else of WordPress. */
export interface WxrItem {
  /** The texts of the item's elements by their names, such as `wp:post_id`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly terms: readonly WxrTerm[];
  /** The values of `wp:postmeta` by their keys, in the order of the file. */
  readonly meta: Readonly<Record<string, readonly string[]>>;
  readonly comments: number;
}

/** A record of the file, in the order of the file. */
export type WxrRecord =
  | { readonly item: WxrItem }
  /** The elements of a `<wp:author>`. */
  | { readonly author: Readonly<Record<string, string>> }
  /** An element of the channel, such as `wp:base_blog_url`. */
  | { readonly channel: readonly [name: string, text: string] }
  /** A fault where the file is not well-formed; the rest is read nevertheless. */
  | { readonly fault: string };

type Texts = Record<string, string>;

/**
 * Reads a file of WordPress (WXR) as a stream. Entities that the file defines are not expanded.
 *
 * @throws OperatorError when it cannot be read
 */
export async function* readWxr(file: string): AsyncGenerator<WxrRecord> {
  const builder = new RecordBuilder();
  try {
    const chunks = createReadStream(file, { highWaterMark: CHUNK, encoding: 'utf8' });
    for await (const chunk of chunks) {
      builder.write(chunk as string);
      yield* builder.take();
    }
    builder.close();
    yield* builder.take();
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Makes records from the events of the parser. */
class RecordBuilder {
  private readonly parser = new SaxesParser();
  private readonly open: string[] = [];
  private records: WxrRecord[] = [];
  private text = '';
  private domain = '';
  private nicename = '';
  private fields: Texts = {};
  private terms: WxrTerm[] = [];
  private meta: Record<string, string[]> = {};
  private nested: Texts = {};
  private comments = 0;
  private hasFault = false;

  constructor() {
    this.parser.on('opentag', ({ name, attributes }) => this.opened(name, attributes));
    this.parser.on('text', (text) => (this.text += text));
    this.parser.on('cdata', (text) => (this.text += text));
    this.parser.on('closetag', ({ name }) => this.closed(name));
    // With a listener for errors, the parser continues after an error. Exports of old sites hold
    // characters that XML forbids.
    this.parser.on('error', ({ message }) => this.failed(message));
  }

  write(chunk: string): void {
    this.parser.write(chunk);
  }

  close(): void {
    this.parser.close();
  }

  /** Takes the records that are complete by now. */
  take(): readonly WxrRecord[] {
    const { records } = this;
    this.records = [];
    return records;
  }

  private opened(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'item' || name === 'wp:author') this.begin();
    if (NESTED.has(name)) this.nested = {};
    [this.domain, this.nicename] = [attributes['domain'] ?? '', attributes['nicename'] ?? ''];
    this.text = '';
    this.open.push(name);
  }

  private begin(): void {
    [this.fields, this.terms, this.meta, this.comments] = [
      {},
      [],
      Object.create(null) as Record<string, string[]>,
      0,
    ];
  }

  private closed(name: string): void {
    this.open.pop();
    const parent = this.open.at(-1) ?? '';
    if (name === 'item') {
      const { fields, terms, meta, comments } = this;
      this.records.push({ item: { fields, terms, meta, comments } });
    } else if (name === 'wp:author') this.records.push({ author: this.fields });
    else if (name === 'wp:comment') this.comments += 1;
    else if (name === 'wp:postmeta') {
      (this.meta[this.nested['wp:meta_key'] ?? ''] ??= []).push(this.nested['wp:meta_value'] ?? '');
    } else if (NESTED.has(parent)) this.nested[name] = this.text;
    else if (name === 'category' && parent === 'item') {
      const { domain, nicename } = this;
      this.terms.push({ domain, nicename, name: this.text.trim() });
    } else if (parent === 'item' || parent === 'wp:author') this.fields[name] = this.text;
    else if (parent === 'channel') this.records.push({ channel: [name, this.text.trim()] });
    this.text = '';
  }

  /** Reports only the first fault, because further faults mostly follow from it. */
  private failed(message: string): void {
    if (!this.hasFault) this.records.push({ fault: message.replace(/\.$/, '') });
    this.hasFault = true;
  }
}
