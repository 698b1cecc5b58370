import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MailNotConfiguredError } from '../../../events/mail/mail.errors.js';
import {
  OpenedBy,
  Public,
  UnlessProviderOnly,
} from '../../../platform/http/access/access.decorator.js';
import {
  Origin,
  type RequestOrigin,
} from '../../../platform/http/client-address/origin.decorator.js';
import { Endpoint } from '../../../platform/http/openapi/endpoint.decorator.js';
import { TooManyRequestsError } from '../../../platform/rate-limit/rate-limit.errors.js';
import { LinkInvalidError, TooManyPasswordsError } from '../../auth.errors.js';
import { PasswordBulkheadInterceptor } from '../password-bulkhead.interceptor.js';
import { ForgotPasswordDto } from './forgot-password.dto.js';
import { PasswordResetService } from './password-reset.service.js';
import { ResetPasswordDto } from './reset-password.dto.js';

@ApiTags('auth')
@Public()
@OpenedBy('account', 'desk')
@UnlessProviderOnly()
@Controller('auth/password')
export class PasswordResetController {
  constructor(private readonly resets: PasswordResetService) {}

  @Post('forgot')
  @Endpoint({
    id: 'forgotPassword',
    summary: 'Ask for a link to set a new password',
    description:
      'The answer is the same whether an account has the address or not. An account gets at most one link in five minutes.',
    message: 'if an account has this address, it gets a mail with a link',
    errors: [MailNotConfiguredError, TooManyRequestsError],
  })
  forgot(@Body() dto: ForgotPasswordDto, @Origin() origin: RequestOrigin): Promise<void> {
    return this.resets.forgot(dto, origin);
  }

  @Post('reset')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'resetPassword',
    summary: 'Set a new password by the token of a link, which ends all your sessions',
    message: 'password changed successfully',
    errors: [LinkInvalidError, TooManyPasswordsError],
  })
  reset(@Body() dto: ResetPasswordDto, @Origin() origin: RequestOrigin): Promise<void> {
    return this.resets.reset(dto, origin);
  }
}
