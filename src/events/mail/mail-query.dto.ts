import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { Optional } from '../../platform/http/validation/text.decorator.js';
import { MAIL_STATES, type MailState } from './outbox/mail.schema.js';

export class MailQuery extends PageQuery {
  @ApiPropertyOptional({ enum: MAIL_STATES, example: 'given up' })
  @Optional()
  @IsIn(MAIL_STATES, { message: `state must be one of ${MAIL_STATES.join(', ')}` })
  readonly state?: MailState;
}
