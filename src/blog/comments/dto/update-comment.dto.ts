import { Flag } from '../../../platform/http/validation/flag.decorator.js';
import { CommentText } from './comment-text.decorator.js';

/** The body of a request that changes a comment. A field that is left out keeps its value. */
export class UpdateCommentDto {
  @CommentText({ optional: true, isCheckedByService: true })
  readonly text: string | undefined;

  @Flag({ optional: true })
  readonly resolved: boolean | undefined;
}
