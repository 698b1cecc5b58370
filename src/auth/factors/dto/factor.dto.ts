import { Text } from '../../../platform/http/validation/text.decorator.js';
import { Password } from '../../dto/password.decorator.js';

const NAME = { min: 1, max: 100, example: 'My phone' };

export class NewFactorDto {
  @Text({ ...NAME, description: 'A name by which you recognise it' })
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
