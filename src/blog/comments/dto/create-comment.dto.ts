import type { Types } from 'mongoose';
import { Mentions } from './mentions.decorator.js';
import { ObjectIdText } from '../../../platform/http/object-id/object-id.param.js';
import { Text } from '../../../platform/http/validation/text.decorator.js';
import { CommentText } from './comment-text.decorator.js';

export class CreateCommentDto {
  @CommentText()
  readonly text!: string;

  @Text({
    min: 1,
    max: 300,
    example: 'algebraic patterns',
    description: 'Words of the blog that the comment is about; plain text',
    optional: true,
  })
  readonly quote: string | undefined;

  @ObjectIdText({ optional: true, description: 'A comment on the same blog' })
  readonly replyTo: Types.ObjectId | undefined;

  @Mentions()
  readonly mentions?: readonly Types.ObjectId[];
}
