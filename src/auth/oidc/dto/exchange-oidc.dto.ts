import { Text } from '../../../platform/http/validation/text.decorator.js';
import { Password } from '../../dto/password.decorator.js';
import { CODE } from '../../factors/dto/code.dto.js';

export class ExchangeOidcDto {
  @Text({
    min: 1,
    max: 200,
    example: '3mQ9v0cXw2R7kF1tYb5nLz8sJd4hGp6uEaIoWqTxMvA',
    description: 'The code that stands in the fragment of the address, as `oidcCode`',
  })
  readonly code!: string;

  @Text({
    min: 43,
    max: 128,
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    description: 'The verifier whose challenge was sent to `startOidc`',
  })
  readonly codeVerifier!: string;

  /** The password of the account that has the address, to link it. */
  @Password({ min: 0, optional: true })
  readonly password?: string;

  /** The code of the second factor of this account, if it has one. */
  @Text({ ...CODE, optional: true })
  readonly secondFactor?: string;
}
