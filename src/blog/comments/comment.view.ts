import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { BlogComment } from './store/blog-comment.schema.js';
import { ID, TIME } from '../../platform/http/openapi/properties.js';
import { AuthorView, toPersonView } from '../../user/views/author.view.js';

/** A comment on a blog. */
export class CommentView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'Which engine is this?', description: 'Plain text' })
  readonly text!: string;

  @ApiPropertyOptional({ example: 'algebraic patterns', description: 'Plain text' })
  readonly quote?: string;

  @ApiPropertyOptional({
    example: true,
    description:
      'Whether title, description or text of the version that you may read contain the quote. ' +
      'Absent without a quote, and for an editor while the blog is neither submitted nor live.',
  })
  readonly quoteFound?: boolean;

  @ApiPropertyOptional({ ...ID, description: 'The comment that this one answers' })
  readonly replyTo?: string;

  @ApiPropertyOptional({
    example: true,
    description:
      'Present in the placeholder of a deleted comment that has replies: `text` is empty, and `by` no user.',
  })
  readonly deleted?: true;

  @ApiProperty({ example: false })
  readonly resolved!: boolean;

  @ApiProperty({ type: AuthorView })
  readonly by!: AuthorView;

  @ApiProperty(TIME)
  readonly at!: Date;

  @ApiProperty({
    type: 'integer',
    example: 3,
    description: "The blog's revision number when this was written",
  })
  readonly rev!: number;
}

/** The fields that a list of comments reads. */
export const COMMENT_FIELDS = [
  'text',
  'quote',
  'replyTo',
  'deleted',
  'resolved',
  'by',
  'at',
  'rev',
] as const satisfies readonly (keyof BlogComment)[];

/**
 * @param quotesFound whether each quote was found; empty if the user may read no version of the
 *   blog
 */
export function toCommentView(
  { _id, text, quote, replyTo, deleted, resolved, by, at, rev }: BlogComment,
  names: ReadonlyMap<string, string>,
  quotesFound: ReadonlyMap<string, boolean>,
): CommentView {
  const quoteFound = quote === undefined ? undefined : quotesFound.get(quote);
  return {
    _id: _id.toHexString(),
    text,
    ...(quote === undefined ? {} : { quote }),
    ...(quoteFound === undefined ? {} : { quoteFound }),
    ...(replyTo === undefined ? {} : { replyTo: replyTo.toHexString() }),
    ...(deleted ? { deleted } : {}),
    resolved,
    by: toPersonView(by, names),
    at,
    rev,
  };
}
