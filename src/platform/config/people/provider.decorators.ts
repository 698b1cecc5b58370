import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, Matches, ValidateBy } from 'class-validator';
import type { RoleCode } from '../../http/access/role-code.js';

/** A role that OIDC_ROLES gives to whom the provider's claim has a value. */
export interface RoleRule {
  readonly claim: string;
  readonly value: string;
  readonly role: RoleCode;
}

const HTTPS = String.raw`https:\/\/[^\s\/?#@\\]+`;
const HTTP_ON_THIS_MACHINE = String.raw`http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?`;
const SAFE_URL = new RegExp(`^(?:${HTTPS}|${HTTP_ON_THIS_MACHINE})(?:[/?][^\\s#]*)?$`);

/** Whether what is sent to the URL stays secret: it is https, or http on this machine. */
export const isSafeUrl = (url: string): boolean => SAFE_URL.test(url);

/** An optional URL, or each of a list of URLs, for which `isSafeUrl` is true. */
export const SafeUrl = ({ each = false } = {}): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Matches(SAFE_URL, {
      each,
      message: ({ property }) =>
        `${property} must be https, such as https://login.example.org/realms/news, without user and fragment`,
    }),
  );

// A claim may be a URL, so the last colon before the value separates them.
const RULE = /^(\S+):([^:=]+)=(AUTHOR|EDITOR|ADMIN)$/;

/** A list such as `groups:newsroom=EDITOR, groups:writers=AUTHOR`. */
export const RoleRules = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.split(',').map(parseRule) : value,
    ),
    ValidateBy({
      name: 'roleRules',
      validator: {
        validate: (value) => Array.isArray(value) && !value.includes(null),
        defaultMessage: (args) =>
          `${args?.property} must be a comma list such as groups:newsroom=EDITOR: claim, value and one of AUTHOR, EDITOR and ADMIN`,
      },
    }),
  );

function parseRule(text: string): RoleRule | null {
  const [, claim, value, role] = RULE.exec(text.trim()) ?? [];
  return claim && value && role ? { claim, value, role: role as RoleCode } : null;
}
