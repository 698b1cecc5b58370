import { ApiError } from '../../platform/http/errors/api.errors.js';

/** 404: there is no such picture, or it is not for the caller. */
export class MediaNotFoundError extends ApiError {
  constructor() {
    super('media_not_found', 'there is no such picture, or it is not for you');
  }
}

/** 422: the file is no picture that can be shown. */
export class PictureRefusedError extends ApiError {
  /** @param why what is wrong with it, as the end of a sentence */
  constructor(why: string) {
    const message = `the picture cannot be used: ${why}`;
    super('picture_refused', message, { errors: [{ field: 'file', message }] });
  }

  static example(): PictureRefusedError {
    return new PictureRefusedError('it is damaged, or not what its first bytes say');
  }
}

/** 415: the file is of another type. */
export class PictureTypeError extends ApiError {
  constructor() {
    super(
      'unsupported_media_type',
      'the file is no picture that is taken: send JPEG, PNG, WebP, AVIF or GIF',
    );
  }
}

/** 400: live articles, or profiles, show the picture. */
export class MediaInUseError extends ApiError {
  /** @param places where it is used, in words */
  constructor(places: readonly string[]) {
    super('media_in_use', `the picture is shown by ${places.join(', ')}: remove it there first`);
  }

  static example(): MediaInUseError {
    return new MediaInUseError(['the live blog 66f1a2b3c4d5e6f708192a3b']);
  }
}
