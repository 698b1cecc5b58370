import { BadRequestException } from '@nestjs/common';
import { InvalidBodyError, type ErrorDetails } from '../common/http/errors/api.errors.js';
import { DRAFT_TEXT_MAX } from './dto/blog-text.js';

/** The body names another blog than the path. */
export class ForeignIdError extends BadRequestException {
  constructor() {
    super({ message: '_id in the body must be the id in the path' } satisfies ErrorDetails);
  }
}

/** Nothing was left of the text, or too much. */
export class DraftTextError extends InvalidBodyError {
  constructor() {
    const message = `draftText must be 1 to ${DRAFT_TEXT_MAX} characters after cleaning`;
    super([{ field: 'draftText', message }]);
  }
}
