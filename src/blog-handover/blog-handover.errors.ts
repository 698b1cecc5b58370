import { BadRequestException } from '@nestjs/common';

/** 400: the account that is to get the blogs is unknown, disabled, or without the role AUTHOR. */
export class NotAnAuthorError extends BadRequestException {
  constructor() {
    super('user must be the id of an enabled user with the role AUTHOR');
  }
}
