import { BadRequestException } from '@nestjs/common';
import type { ErrorDetails } from '../common/http/errors/api.errors.js';

export class LastAdminError extends BadRequestException {
  constructor() {
    super({
      message: 'the last enabled ADMIN cannot be demoted or disabled: make another one first',
    } satisfies ErrorDetails);
  }
}
