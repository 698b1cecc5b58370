import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { Text } from '../../../platform/http/validation/text.decorator.js';

const CHALLENGE = /^[\w-]{43}$/;

const CodeChallenge = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: String,
      pattern: CHALLENGE.source,
      example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      description:
        'SHA-256 of a verifier in base64url (S256, RFC 7636): the client keeps the verifier for `exchangeOidcCode`',
    }),
    Check((value) =>
      typeof value === 'string' && CHALLENGE.test(value)
        ? null
        : 'must be a SHA-256 in base64url, of 43 characters',
    ),
  );

export class StartOidcDto {
  @Text({
    min: 1,
    max: 500,
    example: 'https://www.example.org/signed-in',
    description: 'Where the sign-in returns to: one of OIDC_RETURN_URLS, exactly',
  })
  readonly returnUrl!: string;

  @CodeChallenge()
  readonly codeChallenge!: string;
}
