import type { Types } from 'mongoose';
import { SelectedTag } from '../../blog/core/dto/selected-tag.decorator.js';
import { ObjectIdText } from '../../platform/http/object-id/object-id.param.js';

/** The query that selects the articles of a feed. */
export class FeedQuery {
  @SelectedTag()
  readonly tag?: string;

  @ObjectIdText({ optional: true, description: 'Only articles of this author. Not with `tag`.' })
  readonly author?: Types.ObjectId;
}
