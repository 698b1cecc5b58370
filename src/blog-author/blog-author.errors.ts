import { BadRequestException } from '@nestjs/common';
import { BLOG_FIELDS } from '../blog/blog-fields.js';
import { InvalidBodyError, type ErrorDetails } from '../common/http/errors/api.errors.js';

/** The body names another blog than the path. */
export class ForeignIdError extends BadRequestException {
  constructor() {
    super({ message: '_id in the body must be the id in the path' } satisfies ErrorDetails);
  }
}

/** Cleaning left nothing of the text, or too much. */
export class DraftTextError extends InvalidBodyError {
  constructor() {
    const { min, max } = BLOG_FIELDS.draftText.cleaned;
    const message = `draftText must be ${min} to ${max} characters after cleaning`;
    super([{ field: 'draftText', message }]);
  }
}
