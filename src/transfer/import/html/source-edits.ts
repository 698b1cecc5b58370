import { Tokenizer, type Token } from 'parse5';

/** A place in the source of a text: the positions of its beginning and after its end. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** What stands instead of a part of the source. */
export interface Edit extends Place {
  readonly text: string;
}

/** What a reader of tags is called with, in the order of the source. */
interface TagVisitor {
  readonly onStartTag: (tag: Token.TagToken) => void;
  readonly onEndTag?: (tag: Token.TagToken) => void;
  readonly onText?: (text: string) => void;
}

/**
 * Reads the tags and texts of HTML, each tag with its place in the source. Scripts and other raw text are read like
 * any other text, because the cleaner removes them.
 */
export function readTags(html: string, visitor: TagVisitor): void {
  const ignore = (): void => {};
  const { onStartTag, onEndTag = ignore, onText = ignore } = visitor;
  const onCharacter = ({ chars }: Token.CharacterToken): void => onText(chars);
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag,
      onEndTag,
      onCharacter,
      onWhitespaceCharacter: onCharacter,
      onComment: ignore,
      onDoctype: ignore,
      onNullCharacter: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(html, true);
}

export function placeOf({ startOffset, endOffset }: Token.Location): Place {
  return { start: startOffset, end: endOffset };
}

/** Changes nothing of a text but some places. Of two edits that overlap the first one counts. */
export function withEdits(html: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let copiedTo = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    if (start < copiedTo) continue;
    parts.push(html.slice(copiedTo, start), text);
    copiedTo = end;
  }
  return parts.length === 0 ? html : parts.join('') + html.slice(copiedTo);
}
