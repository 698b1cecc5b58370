import { ErrorCodes, Tokenizer, TokenizerMode, type ParserError, type Token } from 'parse5';

/** The elements whose content parsers read as text, each with the state of the tokenizer for it. */
const RAW_TEXT_STATES = new Map<string, Tokenizer['state']>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
]);

/** Whether parsers read the content of the element as text. */
export function hasRawText(name: string): boolean {
  return RAW_TEXT_STATES.has(name);
}

/** Whether the content of the element is a program or a style sheet, which no reader may see as text. */
export function hasCode(name: string): boolean {
  return name === 'script' || name === 'style';
}

/** A tag of the source. */
export interface SourceTag {
  /** In lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isSelfClosing: boolean;
  readonly start: number;
  readonly end: number;
}

/** What {@link SourceReader} calls, in the order of the source. Positions are those of the source. */
export interface SourceVisitor {
  /** @returns whether the tag begins raw text, which the next end tag of the same name ends */
  onStartTag(tag: SourceTag): boolean;
  onEndTag(tag: SourceTag): void;
  /** Called for each word outside tags and comments. */
  onWord(): void;
  /** Called for what browsers do not show: comments, document types, brackets of CDATA sections. */
  onHidden(start: number, end: number): void;
  /** Called for `<!--` if the comment never ends. */
  onOpenComment(start: number, end: number): void;
  /** Called for what begins like a tag, and is none that an author can have meant. */
  onText(start: number, end: number): void;
}

const COMMENT = '<!--';
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
const XML_DECLARATION = /^<\?xml\b/i;

/** The errors that parsers see at a `<` in a tag. */
const ERRORS_IN_TAG: ReadonlySet<string> = new Set([
  ErrorCodes.unexpectedCharacterInAttributeName,
  ErrorCodes.unexpectedCharacterInUnquotedAttributeValue,
]);

/** Number of tags without an end after which the rest of the source is text. It bounds the time. */
const ENDLESS_TAGS_MAX = 10;

/**
 * Reads the source of an article with the tokenizer of parse5, so that tags are found as browsers
 * find them. The reader differs from browsers only where these would lose what an author wrote:
 *
 * - A tag with another `<` before its `>`, or without a `>`, is text.
 * - `<!--` without an end begins no comment, nor do `</` and `<?`, but `<?xml` does.
 * - The content of a CDATA section is read like any other, also in `svg` and `math`.
 *
 * At such a place the tokenizer is stopped, and another one reads on behind it. The time is linear.
 */
export class SourceReader {
  private readonly source: string;
  private readonly visitor: SourceVisitor;
  private tokenizer: SectionTokenizer;
  /** Where the section of this tokenizer begins, and where the next one begins. */
  private section = { start: 0, end: 0 };
  private isInRawText = false;
  private isCommentOpen = false;
  /** Set at the first comment that never ends: then no later one does. */
  private hasOpenComment = false;
  private endlessTags = 0;
  /** Where the last CDATA section that was found ends; the length of the source for one that never does. */
  private cdataEnd = -1;

  constructor(source: string, visitor: SourceVisitor) {
    this.source = source;
    this.visitor = visitor;
    this.tokenizer = this.newTokenizer();
  }

  read(): void {
    const { source } = this;
    for (let start = 0; start < source.length; start = this.section.end) {
      this.section = { start, end: source.length };
      this.tokenizer = this.newTokenizer();
      this.tokenizer.write(source.slice(start), true);
    }
  }

  private newTokenizer(): SectionTokenizer {
    const ignore = (): void => {};
    return new SectionTokenizer(
      {
        onStartTag: (token) => this.onStartTag(token),
        onEndTag: (token) => this.onEndTag(token),
        onComment: (token) => this.onComment(token),
        onDoctype: (token) => this.onDeclaration(this.placeOf(token)),
        onCharacter: () => this.visitor.onWord(),
        onWhitespaceCharacter: ignore,
        onNullCharacter: ignore,
        onEof: ignore,
        onParseError: (error) => this.onParseError(error),
      },
      (offset) => this.onCommentStart(this.section.start + offset),
    );
  }

  /** The next section begins at the position. */
  private stopAt(position: number): void {
    this.section.end = position;
    this.tokenizer.pause();
  }

  private stopAfterText(start: number, end: number): void {
    this.visitor.onText(start, end);
    this.stopAt(end);
  }

  private placeOf({ location }: Token.Token): { start: number; end: number } {
    const { start } = this.section;
    return { start: start + (location?.startOffset ?? 0), end: start + (location?.endOffset ?? 0) };
  }

  private onStartTag(token: Token.TagToken): void {
    const tag = this.tagOf(token);
    if (tag === null) return;
    this.isInRawText = this.visitor.onStartTag(tag);
    if (this.isInRawText) {
      this.tokenizer.state = RAW_TEXT_STATES.get(tag.name) ?? TokenizerMode.RAWTEXT;
    }
  }

  private onEndTag(token: Token.TagToken): void {
    const tag = this.tagOf(token);
    if (tag === null) return;
    this.isInRawText = false;
    this.visitor.onEndTag(tag);
  }

  /** @returns null for a tag that is text, because its name has a `<` */
  private tagOf(token: Token.TagToken): SourceTag | null {
    const place = this.placeOf(token);
    if (token.tagName.includes('<')) {
      const nameStart = place.start + (this.source[place.start + 1] === '/' ? 2 : 1);
      this.stopAfterText(place.start, nameStart + token.tagName.lastIndexOf('<'));
      return null;
    }
    return {
      ...place,
      name: token.tagName,
      isSelfClosing: token.selfClosing,
      attributes: Object.fromEntries(token.attrs.map(({ name, value }) => [name, value])),
    };
  }

  private onParseError({ code, startOffset }: ParserError): void {
    const end = this.section.start + startOffset;
    if (code === ErrorCodes.eofInComment) this.isCommentOpen = true;
    if (code === ErrorCodes.missingEndTagName) this.visitor.onText(end - 2, end + 1);
    const { tag } = this.tokenizer;
    if (tag === null || this.isInRawText) return;
    const { start } = this.placeOf(tag);
    if (code === ErrorCodes.eofInTag) {
      this.onEndlessTag(tag.tagName, start);
    } else if (ERRORS_IN_TAG.has(code) && this.source[end] === '<' && !hasCode(tag.tagName)) {
      this.stopAfterText(start, end);
    }
  }

  private onEndlessTag(name: string, start: number): void {
    const end = this.source.length;
    this.endlessTags += 1;
    if (hasCode(name)) {
      this.visitor.onStartTag({ name, attributes: {}, isSelfClosing: false, start, end });
    } else {
      this.stopAfterText(start, this.endlessTags > ENDLESS_TAGS_MAX ? end : start + 1);
    }
  }

  /** Decides at the start of a comment, or of what parsers take for one, whether it is read to its end. */
  private onCommentStart(start: number): void {
    const { source } = this;
    const isText =
      source.startsWith('</', start) ||
      (source.startsWith('<?', start) && !XML_DECLARATION.test(source.slice(start, start + 6)));
    if (isText) {
      this.stopAfterText(start, start + 2);
    } else if (source.startsWith(COMMENT, start)) {
      if (this.hasOpenComment) this.onOpenComment(start);
    } else if (source.startsWith(CDATA, start)) {
      this.visitor.onHidden(start, start + CDATA.length);
      if (this.cdataEnd < start) this.hideCdataEnd(start);
      this.stopAt(start + CDATA.length);
    }
  }

  private hideCdataEnd(start: number): void {
    const end = this.source.indexOf(CDATA_END, start);
    this.cdataEnd = end === -1 ? this.source.length : end;
    if (end !== -1) this.visitor.onHidden(end, end + CDATA_END.length);
  }

  private onComment(token: Token.CommentToken): void {
    const place = this.placeOf(token);
    if (this.isCommentOpen) this.onOpenComment(place.start);
    else if (this.source.startsWith(COMMENT, place.start)) {
      this.visitor.onHidden(place.start, place.end);
    } else this.onDeclaration(place);
  }

  private onOpenComment(start: number): void {
    this.isCommentOpen = false;
    this.hasOpenComment = true;
    this.visitor.onOpenComment(start, start + COMMENT.length);
    this.stopAt(start + COMMENT.length);
  }

  /** A document type or another declaration: hidden up to its `>`, but text if it has a `<` or no `>`. */
  private onDeclaration({ start, end }: { start: number; end: number }): void {
    const { source } = this;
    const nextTag = source.lastIndexOf('<', end - 1);
    if (source[end - 1] !== '>') this.stopAfterText(start, source.length);
    else if (nextTag > start) this.stopAfterText(start, nextTag);
    else this.visitor.onHidden(start, end);
  }
}

/** A tokenizer that tells when a comment begins, and which tag it is reading. */
class SectionTokenizer extends Tokenizer {
  private readonly onCommentStart: (offset: number) => void;

  constructor(
    handler: ConstructorParameters<typeof Tokenizer>[1],
    onCommentStart: (offset: number) => void,
  ) {
    super({ sourceCodeLocationInfo: true }, handler);
    this.onCommentStart = onCommentStart;
  }

  /** The tag that is being read; null outside tags. */
  get tag(): Token.TagToken | null {
    const token = this.currentToken;
    return token !== null && 'tagName' in token ? token : null;
  }

  protected override _createCommentToken(offset: number): void {
    super._createCommentToken(offset);
    this.onCommentStart(this.currentToken?.location?.startOffset ?? 0);
  }
}
