import { BadRequestException, NotFoundException } from '@nestjs/common';
import type { ErrorDetails } from '../common/http/errors/api.errors.js';
import { MOVES, type BlogState, type MoveName } from './blog.state.js';

export class BlogNotFoundError extends NotFoundException {
  constructor() {
    super({ message: 'blog not found' } satisfies ErrorDetails);
  }
}

export class SlugTakenError extends BadRequestException {
  static readonly example = (): SlugTakenError => new SlugTakenError('notes-on-the-engine');

  constructor(slug: string) {
    super({ message: `blog with slug: ${slug} already exists` } satisfies ErrorDetails);
  }
}

/** The move is not allowed from the state the blog is in. */
export class IllegalMoveError extends BadRequestException {
  static readonly example = (): IllegalMoveError => new IllegalMoveError('publish', 'draft');

  constructor(move: MoveName, state: BlogState) {
    const isUnderReview = state === 'in review' || state === 'live in review';
    const message =
      move === 'edit' && isUnderReview
        ? 'blog is under review: withdraw it first'
        : `blog cannot be ${MOVES[move].done}: it is ${state}`;
    super({ message } satisfies ErrorDetails);
  }
}
