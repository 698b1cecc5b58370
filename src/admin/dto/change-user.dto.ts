import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ROLE_CODES, type RoleCode } from '../../platform/http/access/role-code.js';
import type { FieldError } from '../../platform/http/envelope/envelope.js';
import { CheckAll } from '../../platform/http/validation/check.decorators.js';
import { Flag } from '../../platform/http/validation/flag.decorator.js';

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

export const Roles = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      isArray: true,
      enum: ROLE_CODES,
      minItems: 1,
      maxItems: ROLE_CODES.length,
      example: ['LEARNER', 'AUTHOR'],
    }),
    CheckAll(roleProblems),
  );

export class SetRolesDto {
  @Roles()
  readonly roles!: readonly RoleCode[];
}

export class SetStatusDto {
  @Flag()
  readonly enabled!: boolean;
}
