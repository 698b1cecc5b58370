import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ForIncompleteAccounts,
  OpenedBy,
  Public,
  SessionOnly,
  UnlessProviderOnly,
} from '../../../platform/http/access/access.decorator.js';
import {
  CurrentSession,
  type SessionCaller,
} from '../../../platform/http/access/current-user.decorator.js';
import {
  Origin,
  type RequestOrigin,
} from '../../../platform/http/client-address/origin.decorator.js';
import type { Warned } from '../../../platform/http/envelope/warned.js';
import { Endpoint } from '../../../platform/http/openapi/endpoint.decorator.js';
import { TooManyRequestsError } from '../../../platform/rate-limit/rate-limit.errors.js';
import {
  FactorNeededError,
  InvalidCredentialsError,
  PasskeyInvalidError,
  PasskeysNotConfiguredError,
  TooManyPasskeysError,
  TooManyPasswordsError,
  WrongPasswordError,
} from '../../auth.errors.js';
import { PasswordBulkheadInterceptor } from '../../password/password-bulkhead.interceptor.js';
import { SignedInView } from '../../views/signed-in.view.js';
import { PresenceDto } from '../dto/factor.dto.js';
import { RecoveryCodesView } from '../factor.view.js';
import { PasskeyEnrolment } from './passkey-enrolment.service.js';
import { PasskeyOptionsView } from './passkey-options.view.js';
import { PasskeySignIn } from './passkey-sign-in.service.js';
import { NewPasskeyDto, PasskeyDto } from './passkey.dto.js';

@ApiTags('auth')
@OpenedBy('account', 'desk')
@Controller('auth')
export class PasskeysController {
  constructor(
    private readonly enrolment: PasskeyEnrolment,
    private readonly signIns: PasskeySignIn,
  ) {}

  @SessionOnly()
  @ForIncompleteAccounts()
  @Post('factors/passkeys/options')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'beginPasskey',
    summary: 'Get the options with which a browser makes a passkey',
    data: PasskeyOptionsView,
    errors: [
      PasskeysNotConfiguredError,
      TooManyPasskeysError,
      FactorNeededError,
      WrongPasswordError,
      TooManyRequestsError,
      TooManyPasswordsError,
    ],
  })
  begin(
    @CurrentSession() caller: SessionCaller,
    @Body() dto: PresenceDto,
  ): Promise<PasskeyOptionsView> {
    return this.enrolment.begin(caller, dto);
  }

  @SessionOnly()
  @ForIncompleteAccounts()
  @Post('factors/passkeys')
  @Endpoint({
    id: 'addPasskey',
    summary: 'Add a passkey that the browser has made',
    data: RecoveryCodesView,
    errors: [PasskeysNotConfiguredError, PasskeyInvalidError],
  })
  add(
    @CurrentSession() caller: SessionCaller,
    @Body() dto: NewPasskeyDto,
  ): Promise<RecoveryCodesView> {
    return this.enrolment.add(caller, dto);
  }

  @Public()
  @Post('passkeys/options')
  @Endpoint({
    id: 'beginPasskeySignIn',
    summary: 'Get the options with which a browser asks for a passkey',
    description: 'They name no account: the browser offers the passkeys that it has for this site.',
    data: PasskeyOptionsView,
    errors: [PasskeysNotConfiguredError, TooManyRequestsError],
  })
  beginSignIn(@Origin() origin: RequestOrigin): Promise<PasskeyOptionsView> {
    return this.signIns.begin(origin);
  }

  @Public()
  @UnlessProviderOnly()
  @Post('signin/passkey')
  @Endpoint({
    id: 'signInByPasskey',
    summary: 'Sign in by a passkey, without a password',
    description:
      'The session counts as one with a second factor, and for five minutes instead of the password that confirms an action.',
    data: SignedInView,
    errors: [PasskeysNotConfiguredError, InvalidCredentialsError, TooManyRequestsError],
  })
  signIn(@Body() dto: PasskeyDto, @Origin() origin: RequestOrigin): Promise<Warned<SignedInView>> {
    return this.signIns.signIn(dto, origin);
  }
}
