import { Body, Controller, Delete, Get, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AcceptExpiredToken,
  ForIncompleteAccounts,
  OpenedBy,
  OpenedByEveryKey,
  Public,
  SessionOnly,
  UnlessProviderOnly,
} from '../platform/http/access/access.decorator.js';
import {
  CurrentSession,
  type SessionCaller,
} from '../platform/http/access/current-user.decorator.js';
import type { KeyScope } from '../platform/http/access/key-scopes/key-scope.js';
import { KeyScopes } from '../platform/http/access/key-scopes/key-scopes.decorator.js';
import { Origin, type RequestOrigin } from '../platform/http/client-address/origin.decorator.js';
import { Warned } from '../platform/http/envelope/warned.js';
import { WithHeaders } from '../platform/http/envelope/with-headers.js';
import { Endpoint } from '../platform/http/openapi/endpoint.decorator.js';
import { TooManyRequestsError } from '../platform/rate-limit/rate-limit.errors.js';
import { AlreadyRegisteredError } from '../user/user.errors.js';
import {
  InvalidCredentialsError,
  RefreshTokenError,
  SecondFactorRequiredError,
  SignUpClosedError,
  TooManyPasswordsError,
  WrongCodeError,
  WrongPasswordError,
} from './auth.errors.js';
import { AuthService } from './auth.service.js';
import { ChangePasswordDto } from './dto/change-password.dto.js';
import { RefreshDto } from './dto/refresh.dto.js';
import { SignInDto } from './dto/sign-in.dto.js';
import { SignUpDto } from './dto/sign-up.dto.js';
import { PasswordBulkheadInterceptor } from './password/password-bulkhead.interceptor.js';
import { PasswordService } from './password/password.service.js';
import { SignedInView, TokensView } from './views/signed-in.view.js';

const TOO_MANY = [TooManyRequestsError, TooManyPasswordsError] as const;

@ApiTags('auth')
@OpenedBy('account', 'desk')
@SessionOnly()
@Controller('auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly passwords: PasswordService,
  ) {}

  @Public()
  @OpenedBy('signup')
  @UnlessProviderOnly()
  @Post('signup/basic')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'signUp',
    summary: 'Create an account and sign in',
    data: SignedInView,
    errors: [SignUpClosedError, AlreadyRegisteredError, ...TOO_MANY],
  })
  signUp(@Body() dto: SignUpDto, @Origin() origin: RequestOrigin): Promise<Warned<SignedInView>> {
    return this.auth.signUp(dto, origin);
  }

  @Public()
  @UnlessProviderOnly()
  @Post('signin/basic')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'signIn',
    summary: 'Sign in',
    data: SignedInView,
    errors: [InvalidCredentialsError, SecondFactorRequiredError, WrongCodeError, ...TOO_MANY],
  })
  signIn(@Body() dto: SignInDto, @Origin() origin: RequestOrigin): Promise<Warned<SignedInView>> {
    return this.auth.signIn(dto, origin);
  }

  @AcceptExpiredToken()
  @Post(['refresh', 'token/refresh'])
  @Endpoint({
    id: 'refreshTokens',
    summary: 'Exchange a refresh token for a new pair',
    description:
      'The access token must be of the same session and may have expired. A refresh token is valid ' +
      'once. Repeated within 10 seconds, the request returns the same new refresh token; any later ' +
      'use of the old one ends the session.',
    data: TokensView,
    errors: [RefreshTokenError],
  })
  refresh(@CurrentSession() caller: SessionCaller, @Body() dto: RefreshDto): Promise<TokensView> {
    return this.auth.refresh(caller, dto);
  }

  @ForIncompleteAccounts()
  @Delete('signout')
  @Endpoint({ id: 'signOut', summary: 'End this session', message: 'signout success' })
  signOut(@CurrentSession() caller: SessionCaller): Promise<void> {
    return this.auth.signOut(caller);
  }

  @ForIncompleteAccounts()
  @Post('signout')
  @Endpoint({
    id: 'signOutByPost',
    summary: 'End this session (for clients without DELETE)',
    message: 'signout success',
  })
  signOutByPost(@CurrentSession() caller: SessionCaller): Promise<void> {
    return this.auth.signOut(caller);
  }

  @UnlessProviderOnly()
  @Put('password')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'changePassword',
    summary: 'Change your password, which ends all your other sessions',
    message: 'password changed successfully',
    errors: [WrongPasswordError, ...TOO_MANY],
  })
  changePassword(
    @CurrentSession() caller: SessionCaller,
    @Body() dto: ChangePasswordDto,
  ): Promise<void> {
    return this.passwords.change(caller, dto);
  }

  @Public()
  @OpenedByEveryKey()
  @Get('verify/apikey')
  @Endpoint({
    id: 'verifyApiKey',
    summary: 'Check the API key, and read its scopes from a header',
    headers: { 'x-api-key-scopes': 'KeyScopes' },
  })
  verifyApiKey(@KeyScopes() scopes: readonly KeyScope[]): WithHeaders {
    return new WithHeaders({ 'x-api-key-scopes': scopes.join(',') });
  }
}
