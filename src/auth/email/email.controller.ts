import { Body, Controller, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MailNotConfiguredError } from '../../events/mail/mail.errors.js';
import {
  ForIncompleteAccounts,
  OpenedBy,
  Public,
  SessionOnly,
} from '../../platform/http/access/access.decorator.js';
import {
  CurrentSession,
  type SessionCaller,
} from '../../platform/http/access/current-user.decorator.js';
import { Origin, type RequestOrigin } from '../../platform/http/client-address/origin.decorator.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { TooManyRequestsError } from '../../platform/rate-limit/rate-limit.errors.js';
import { AlreadyRegisteredError } from '../../user/user.errors.js';
import {
  FactorNeededError,
  LinkInvalidError,
  TooManyPasswordsError,
  WrongPasswordError,
} from '../auth.errors.js';
import { PasswordBulkheadInterceptor } from '../password/password-bulkhead.interceptor.js';
import { ChangeEmailDto } from './change-email.dto.js';
import { EmailChangeService } from './email-change.service.js';
import { EmailVerificationService } from './email-verification.service.js';
import { LinkTokenDto } from '../one-time-tokens/link-token.dto.js';

@ApiTags('auth')
@OpenedBy('account', 'desk')
@SessionOnly()
@ForIncompleteAccounts()
@Controller('auth/email')
export class EmailController {
  constructor(
    private readonly verification: EmailVerificationService,
    private readonly changes: EmailChangeService,
  ) {}

  @Put()
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'changeEmail',
    summary: 'Ask for another email address, which a link to it confirms',
    message: 'the new address gets a mail with a link',
    errors: [
      FactorNeededError,
      MailNotConfiguredError,
      WrongPasswordError,
      AlreadyRegisteredError,
      TooManyRequestsError,
      TooManyPasswordsError,
    ],
  })
  change(@CurrentSession() caller: SessionCaller, @Body() dto: ChangeEmailDto): Promise<void> {
    return this.changes.request(caller, dto);
  }

  @Public()
  @Post('confirm')
  @Endpoint({
    id: 'confirmEmailChange',
    summary: 'Confirm a new email address by the token of a link',
    description: 'The former address gets a link that takes the change back for seven days.',
    message: 'email address changed successfully',
    errors: [LinkInvalidError, AlreadyRegisteredError],
  })
  confirm(@Body() dto: LinkTokenDto, @Origin() origin: RequestOrigin): Promise<void> {
    return this.changes.confirm(dto, origin);
  }

  @Public()
  @Post('undo')
  @Endpoint({
    id: 'undoEmailChange',
    summary: 'Take a change of the email address back by the token of a link to the former address',
    description:
      'This ends all sessions, and removes the password and the factors and tokens that were added since a week before the change; a link for a new password is sent to the former address.',
    message: 'the former address is back: it gets a mail with a link for a new password',
    errors: [LinkInvalidError],
  })
  undo(@Body() dto: LinkTokenDto, @Origin() origin: RequestOrigin): Promise<void> {
    return this.changes.undo(dto, origin);
  }

  @Public()
  @Post('verify')
  @Endpoint({
    id: 'verifyEmail',
    summary: 'Confirm the email address of a new account by the token of a link',
    message: 'email address confirmed successfully',
    errors: [LinkInvalidError],
  })
  verify(@Body() dto: LinkTokenDto, @Origin() origin: RequestOrigin): Promise<void> {
    return this.verification.verify(dto, origin);
  }

  @Post('verification')
  @Endpoint({
    id: 'sendEmailVerification',
    summary: 'Send the link again that confirms your email address',
    message: 'unless your address is confirmed already, it gets a mail with a link',
    errors: [MailNotConfiguredError, TooManyRequestsError],
  })
  sendVerification(@CurrentSession() caller: SessionCaller): Promise<void> {
    return this.verification.sendAgain(caller);
  }
}
