import {
  RevisionNumber,
  RevisionNumberOrWorking,
  type WORKING,
} from './revision-number.decorator.js';

/** Two revisions of a blog. */
export class EditorDiffQuery {
  @RevisionNumber()
  readonly from!: number;

  @RevisionNumber()
  readonly to!: number;
}

/** A revision of a blog, and another revision or the working copy. */
export class AuthorDiffQuery {
  @RevisionNumber()
  readonly from!: number;

  @RevisionNumberOrWorking()
  readonly to!: number | typeof WORKING;
}
