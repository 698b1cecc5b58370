import { BadRequestException, NotFoundException } from '@nestjs/common';
import { BLOG_FIELDS } from '../blog/blog-fields.js';

/** 404: the blog has no such revision, or no longer keeps it. */
export class RevisionNotFoundError extends NotFoundException {
  constructor() {
    super('revision not found');
  }
}

/** 400: the text of the revision is empty or too long after it was cleaned by the present policy. */
export class UnusableRevisionError extends BadRequestException {
  constructor() {
    const { min, max } = BLOG_FIELDS.draftText.cleaned;
    super(
      `the text of the revision must be ${min} to ${max} characters after cleaning: ` +
        'edit the blog instead',
    );
  }
}
