import { BadRequestException } from '@nestjs/common';
import { BLOG_FIELDS } from '../blog/blog-fields.js';
import { InvalidBodyError } from '../common/http/errors/api.errors.js';

/** 400: the `_id` in the body differs from the id in the path. */
export class ForeignIdError extends BadRequestException {
  constructor() {
    super('_id in the body must be the id in the path');
  }
}

/** 422: the text is empty or too long after it was cleaned. */
export class DraftTextError extends InvalidBodyError {
  constructor() {
    const { min, max } = BLOG_FIELDS.draftText.cleaned;
    const message = `draftText must be ${min} to ${max} characters after cleaning`;
    super([{ field: 'draftText', message }]);
  }
}
