import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  LinkInvalidError,
  SignUpClosedError,
  TooManyPasswordsError,
} from '../../auth/auth.errors.js';
import { LinkTokenDto } from '../../auth/one-time-tokens/link-token.dto.js';
import { PasswordBulkheadInterceptor } from '../../auth/password/password-bulkhead.interceptor.js';
import { SignedInView } from '../../auth/views/signed-in.view.js';
import {
  OpenedBy,
  Public,
  UnlessProviderOnly,
} from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { Origin, type RequestOrigin } from '../../platform/http/client-address/origin.decorator.js';
import type { Warned } from '../../platform/http/envelope/warned.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { AlreadyRegisteredError } from '../../user/user.errors.js';
import { UserView } from '../../user/views/user.view.js';
import { AcceptInvitationDto } from './accept-invitation.dto.js';
import { InvitationAcceptance } from './invitation-acceptance.service.js';
import { ForeignInvitationError } from './invitation.errors.js';

@ApiTags('auth')
@OpenedBy('account', 'desk')
@Controller('auth/invitation')
export class InvitationAcceptanceController {
  constructor(private readonly acceptance: InvitationAcceptance) {}

  @Public()
  @UnlessProviderOnly()
  @Post('accept')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'acceptInvitation',
    summary: 'Accept an invitation with a new account, and sign in',
    description:
      'If an account has the invited address, its owner signs in and uses `joinByInvitation` instead.',
    data: SignedInView,
    errors: [LinkInvalidError, SignUpClosedError, AlreadyRegisteredError, TooManyPasswordsError],
  })
  accept(
    @Body() dto: AcceptInvitationDto,
    @Origin() origin: RequestOrigin,
  ): Promise<Warned<SignedInView>> {
    return this.acceptance.accept(dto, origin);
  }

  @Post('join')
  @Endpoint({
    id: 'joinByInvitation',
    summary: 'Accept an invitation with your account, which gets the roles',
    data: UserView,
    errors: [LinkInvalidError, ForeignInvitationError],
  })
  join(@CurrentUser() caller: Caller, @Body() dto: LinkTokenDto): Promise<UserView> {
    return this.acceptance.join(caller, dto);
  }
}
