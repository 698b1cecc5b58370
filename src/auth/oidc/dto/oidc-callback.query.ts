import { Text } from '../../../platform/http/validation/text.decorator.js';

/** What a provider sends. Other parameters are ignored. */
export class OidcCallbackQuery {
  @Text({
    min: 1,
    max: 200,
    optional: true,
    example: '3mQ9v0cXw2R7kF1tYb5nLz8sJd4hGp6uEaIoWqTxMvA',
    description: 'The state that `startOidc` has sent to the provider',
  })
  readonly state?: string;

  @Text({
    min: 1,
    max: 4_096,
    optional: true,
    example: 'SplxlOBeZQQYbYS6WxSbIA',
    description: 'The code of the provider',
  })
  readonly code?: string;

  @Text({
    min: 1,
    max: 500,
    optional: true,
    example: 'https://login.example.org',
    description: 'The issuer (RFC 9207)',
  })
  readonly iss?: string;

  @Text({
    min: 1,
    max: 200,
    optional: true,
    example: 'access_denied',
    description: 'Why the provider has refused the sign-in',
  })
  readonly error?: string;
}
