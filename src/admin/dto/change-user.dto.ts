import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { ROLE_CODES, type RoleCode } from '../../common/access/role-code.js';
import type { FieldError } from '../../common/http/envelope/envelope.js';
import type { ConstraintContext } from '../../common/http/input/parse-input.js';
import { Flag } from '../../common/validation/flag.decorator.js';

function roleProblems(value: unknown): FieldError[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > ROLE_CODES.length) {
    return [{ field: 'roles', message: `roles must be a list of 1 to ${ROLE_CODES.length} roles` }];
  }
  return value.flatMap((code: unknown, index) =>
    ROLE_CODES.some((known) => known === code)
      ? []
      : [
          {
            field: `roles.${index}`,
            message: `roles.${index} must be one of ${ROLE_CODES.join(', ')}`,
          },
        ],
  );
}

const CONTEXT: ConstraintContext = { describe: roleProblems };

export class SetRolesDto {
  @ApiProperty({
    isArray: true,
    enum: ROLE_CODES,
    minItems: 1,
    maxItems: ROLE_CODES.length,
    example: ['LEARNER', 'AUTHOR'],
  })
  @ValidateBy(
    {
      name: 'roles',
      validator: {
        validate: (value) => roleProblems(value).length === 0,
        defaultMessage: () => 'roles must be a list of roles',
      },
    },
    { context: CONTEXT },
  )
  readonly roles!: readonly RoleCode[];
}

export class SetStatusDto {
  @Flag()
  readonly enabled!: boolean;
}
