import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  Post,
  Query,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { OpenedBy, Public } from '../../platform/http/access/access.decorator.js';
import { Origin, type RequestOrigin } from '../../platform/http/client-address/origin.decorator.js';
import type { Warned } from '../../platform/http/envelope/warned.js';
import type { WithHeaders } from '../../platform/http/envelope/with-headers.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { TooManyRequestsError } from '../../platform/rate-limit/rate-limit.errors.js';
import { AlreadyRegisteredError } from '../../user/user.errors.js';
import {
  InvalidCredentialsError,
  SecondFactorRequiredError,
  SignUpClosedError,
  TooManyPasswordsError,
  WrongCodeError,
} from '../auth.errors.js';
import { PasswordBulkheadInterceptor } from '../password/password-bulkhead.interceptor.js';
import { SignedInView } from '../views/signed-in.view.js';
import { ExchangeOidcDto } from './dto/exchange-oidc.dto.js';
import { OidcCallbackQuery } from './dto/oidc-callback.query.js';
import { OidcStartView } from './dto/oidc-start.view.js';
import { StartOidcDto } from './dto/start-oidc.dto.js';
import {
  AccountDisabledError,
  OidcCodeError,
  OidcEmailUnverifiedError,
  OidcNotConfiguredError,
  OidcStateError,
  OidcUnavailableError,
  PasswordNeededError,
} from './oidc.errors.js';
import { OidcSignIn } from './oidc-sign-in.service.js';

const Cookies = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<FastifyRequest>().headers.cookie ?? '',
);

@ApiTags('auth')
@Public()
@OpenedBy('account', 'desk')
@Controller('auth/oidc')
export class OidcController {
  constructor(private readonly signIns: OidcSignIn) {}

  @Post('start')
  @Endpoint({
    id: 'startOidc',
    summary: 'Begin a single sign-on by OpenID Connect',
    description:
      'The browser gets a cookie, so a page of another origin asks with `credentials: "include"`. Then it goes to the URL.',
    data: OidcStartView,
    headers: {
      'set-cookie': 'SignInCookie',
      'access-control-allow-credentials': 'AllowCredentials',
    },
    errors: [OidcNotConfiguredError, OidcUnavailableError, TooManyRequestsError],
  })
  start(
    @Body() dto: StartOidcDto,
    @Origin() origin: RequestOrigin,
  ): Promise<WithHeaders<OidcStartView>> {
    return this.signIns.start(dto, origin);
  }

  @Public({ apiKey: false })
  @Get('callback')
  @Endpoint({
    id: 'finishOidc',
    summary: 'The address to which the provider sends the browser back',
    isRedirect: true,
    message:
      'redirect to the `returnUrl`, with `oidcCode` or the reason of a refusal as `oidcError` in the fragment',
    headers: { location: 'ReturnUrl' },
    errors: [OidcNotConfiguredError, OidcStateError, TooManyRequestsError],
  })
  finish(
    @Query() query: OidcCallbackQuery,
    @Cookies() cookies: string,
    @Origin() origin: RequestOrigin,
  ): Promise<{ url: string; statusCode: number }> {
    return this.signIns.finish(query, cookies, origin);
  }

  @Post('exchange')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'exchangeOidcCode',
    summary: 'Exchange the code of a single sign-on for a session',
    description:
      'If an account has the email address, its owner confirms the link with its password, once: without it the answer is `password_needed`, and the code stays valid for five minutes.',
    data: SignedInView,
    errors: [
      OidcNotConfiguredError,
      OidcCodeError,
      PasswordNeededError,
      InvalidCredentialsError,
      SecondFactorRequiredError,
      WrongCodeError,
      OidcEmailUnverifiedError,
      SignUpClosedError,
      AccountDisabledError,
      AlreadyRegisteredError,
      TooManyRequestsError,
      TooManyPasswordsError,
    ],
  })
  exchange(
    @Body() dto: ExchangeOidcDto,
    @Origin() origin: RequestOrigin,
  ): Promise<Warned<SignedInView>> {
    return this.signIns.exchange(dto, origin);
  }
}
