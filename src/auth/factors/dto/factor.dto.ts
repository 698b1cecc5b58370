import { Text } from '../../../platform/http/validation/text.decorator.js';
import { Password } from '../../dto/password.decorator.js';

export const NAME = { min: 1, max: 100, example: 'My phone' };
export const NAME_HINT = 'A name by which you recognise it';

export class NewFactorDto {
  @Text({ ...NAME, description: NAME_HINT })
  readonly name!: string;

  @Password({ min: 0, optional: true })
  readonly password?: string;
}

export class RenameFactorDto {
  @Text(NAME)
  readonly name!: string;
}

/** What confirms that the owner of the account is present. */
export class PresenceDto {
  @Password({ min: 0, optional: true })
  readonly password?: string;
}
