import { ObjectIdParam } from '../../../platform/http/object-id/object-id.param.js';
import { RevisionNumber } from './revision-number.decorator.js';

/**
 * The `{id}/{rev}` in a path: the id of a blog, and a revision number. Text of another form gets
 * 400.
 */
export class RevisionParam extends ObjectIdParam {
  @RevisionNumber()
  readonly rev!: number;
}
