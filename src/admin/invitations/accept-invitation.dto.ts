import { Password } from '../../auth/dto/password.decorator.js';
import { LinkToken } from '../../auth/one-time-tokens/link-token.dto.js';
import { NewName } from '../../user/names/name.decorator.js';

export class AcceptInvitationDto {
  @LinkToken()
  readonly token!: string;

  /** Left out if the invitation has a name. */
  @NewName({ optional: true })
  readonly name?: string;

  @Password({ min: 8 })
  readonly password!: string;
}
