import { ApiError } from '../../platform/http/errors/api.errors.js';
import { BLOG_FIELDS } from '../core/blog-fields.js';

/** 404: the blog has no such revision, or no longer keeps it. */
export class RevisionNotFoundError extends ApiError {
  constructor() {
    super('revision_not_found', 'revision not found');
  }
}

/** 400: the text of the revision is empty or too long after it was cleaned by the present policy. */
export class UnusableRevisionError extends ApiError {
  constructor() {
    const { min, max } = BLOG_FIELDS.draftText.cleaned;
    super(
      'revision_unusable',
      `the text of the revision must be ${min} to ${max} characters after cleaning: ` +
        'edit the blog instead',
    );
  }
}
