import { ROLE_CODES, type RoleCode } from '../../platform/http/access/role-code.js';
import { Choices } from '../../platform/http/validation/choices.decorator.js';
import { DateTime } from '../../platform/http/validation/date-time/date-time.decorator.js';
import { Text } from '../../platform/http/validation/text.decorator.js';

export class CreateTokenDto {
  @Text({
    min: 1,
    max: 100,
    example: 'nightly export',
    description: 'What the token is for',
  })
  readonly name!: string;

  @Choices(ROLE_CODES, {
    noun: 'roles',
    example: ['AUTHOR'],
    min: 0,
    unique: true,
    description: 'The roles that the token grants, all of which you have',
  })
  readonly roles!: readonly RoleCode[];

  @DateTime({
    description: 'When the token stops working, in a year at most; in 90 days when left out',
    nullable: false,
  })
  readonly expiresAt?: Date;
}
