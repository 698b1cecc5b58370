import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID, TIME } from '../../platform/http/openapi/properties.js';
import { MAIL_KIND_NAMES, type MailKind } from './mail-kinds.js';
import { MAIL_STATES, type Mail, type MailState } from './outbox/mail.schema.js';

/** What became of a mail: neither its address nor its text or link. */
export class MailView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ enum: MAIL_KIND_NAMES, example: 'invitation' })
  readonly kind!: MailKind;

  @ApiProperty({ enum: MAIL_STATES, example: 'sent' })
  readonly state!: MailState;

  @ApiPropertyOptional({ ...ID, description: 'The account that it is for, if there is one' })
  readonly user?: string;

  @ApiProperty({ type: 'integer', example: 1, description: 'Number of attempts so far' })
  readonly attempts!: number;

  @ApiPropertyOptional({
    example: 'EENVELOPE 550',
    description: 'Why the last attempt failed: codes of the SMTP client and of the SMTP server',
  })
  readonly error?: string;

  @ApiProperty(TIME)
  readonly createdAt!: Date;

  @ApiPropertyOptional({ ...TIME, description: 'The next attempt' })
  readonly nextAt?: Date;

  @ApiPropertyOptional({ ...TIME, description: 'When the SMTP server accepted it' })
  readonly sentAt?: Date;
}

export function toMailView(mail: Mail): MailView {
  const { _id, kind, state, user, attempts, error, createdAt, nextAt, sentAt } = mail;
  return {
    _id: _id.toHexString(),
    kind,
    state,
    ...(user ? { user: user.toHexString() } : {}),
    attempts,
    ...(error !== undefined && state !== 'sent' ? { error } : {}),
    createdAt,
    ...(nextAt ? { nextAt } : {}),
    ...(sentAt ? { sentAt } : {}),
  };
}
