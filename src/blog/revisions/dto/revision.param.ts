import { ObjectIdParam } from '../../../platform/http/object-id/object-id.param.js';
import { RevisionNumber } from './revision-number.decorator.js';

/**
 * The `{id}/{rev}` in a path: a blog, and the number of one of its revisions; anything else gets
 * 400.
 */
export class RevisionParam extends ObjectIdParam {
  @RevisionNumber()
  readonly rev!: number;
}
