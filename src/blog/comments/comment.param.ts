import type { Types } from 'mongoose';
import { ObjectIdParam, ObjectIdText } from '../../platform/http/object-id/object-id.param.js';

/** The path parameters `{id}` of a blog and `{comment}` of one of its comments. */
export class CommentParam extends ObjectIdParam {
  @ObjectIdText()
  readonly comment!: Types.ObjectId;
}
