import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { normalizeEmail } from '../../user/email.decorator.js';
import { ROLE_CODES, type RoleCode } from '../../platform/http/access/role-code.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { Parse } from '../../platform/http/validation/check.decorators.js';
import { Optional, Text } from '../../platform/http/validation/text.decorator.js';

export class UserQuery extends PageQuery {
  @Text({
    min: 1,
    max: 254,
    example: 'ada@example.org',
    optional: true,
    description: 'The whole address; case is ignored',
  })
  @Parse(normalizeEmail)
  readonly email?: string;

  @ApiPropertyOptional({ enum: ROLE_CODES, example: 'AUTHOR' })
  @Optional()
  @IsIn(ROLE_CODES, { message: `role must be one of ${ROLE_CODES.join(', ')}` })
  readonly role?: RoleCode;
}
