import { Body, Controller, Delete, Get, Param, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ForIncompleteAccounts,
  OpenedBy,
  SessionOnly,
} from '../../platform/http/access/access.decorator.js';
import {
  CurrentSession,
  type SessionCaller,
} from '../../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { TooManyRequestsError } from '../../platform/rate-limit/rate-limit.errors.js';
import {
  FactorNeededError,
  FactorNotFoundError,
  TooManyPasswordsError,
  WrongCodeError,
  WrongPasswordError,
} from '../auth.errors.js';
import { PasswordBulkheadInterceptor } from '../password/password-bulkhead.interceptor.js';
import { CodeDto } from './dto/code.dto.js';
import { NewFactorDto, PresenceDto, RenameFactorDto } from './dto/factor.dto.js';
import { FactorsView, RecoveryCodesView, TotpView } from './factor.view.js';
import { FactorsService } from './factors.service.js';

const CONFIRMED = [
  FactorNeededError,
  WrongPasswordError,
  TooManyRequestsError,
  TooManyPasswordsError,
] as const;

@ApiTags('auth')
@OpenedBy('account', 'desk')
@SessionOnly()
@ForIncompleteAccounts()
@Controller('auth/factors')
export class FactorsController {
  constructor(private readonly factors: FactorsService) {}

  @Get()
  @Endpoint({ id: 'listFactors', summary: 'Your second factors', data: FactorsView })
  list(@CurrentSession() caller: SessionCaller): Promise<FactorsView> {
    return this.factors.list(caller);
  }

  @Post('totp')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'enrolTotp',
    summary: 'Begin to enrol an app that shows codes',
    description: 'The app counts once `confirmTotp` got its first code; it replaces a former app.',
    data: TotpView,
    errors: CONFIRMED,
  })
  beginTotp(@CurrentSession() caller: SessionCaller, @Body() dto: NewFactorDto): Promise<TotpView> {
    return this.factors.beginTotp(caller, dto);
  }

  @Post('totp/confirm')
  @Endpoint({
    id: 'confirmTotp',
    summary: 'Enrol the app by its first code',
    data: RecoveryCodesView,
    errors: [WrongCodeError],
  })
  confirmTotp(
    @CurrentSession() caller: SessionCaller,
    @Body() dto: CodeDto,
  ): Promise<RecoveryCodesView> {
    return this.factors.confirmTotp(caller, dto);
  }

  @Post('recovery')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'renewRecoveryCodes',
    summary: 'Get new recovery codes, which end the former ones',
    data: RecoveryCodesView,
    errors: [FactorNotFoundError, ...CONFIRMED],
  })
  renewCodes(
    @CurrentSession() caller: SessionCaller,
    @Body() dto: PresenceDto,
  ): Promise<RecoveryCodesView> {
    return this.factors.renewCodes(caller, dto);
  }

  @Put('id/:id')
  @Endpoint({
    id: 'renameFactor',
    summary: 'Rename a second factor',
    errors: [FactorNotFoundError],
  })
  rename(
    @CurrentSession() caller: SessionCaller,
    @Param() { id }: ObjectIdParam,
    @Body() dto: RenameFactorDto,
  ): Promise<void> {
    return this.factors.rename(caller, id, dto);
  }

  @Delete('id/:id')
  @UseInterceptors(PasswordBulkheadInterceptor)
  @Endpoint({
    id: 'removeFactor',
    summary: 'Remove a second factor; with the last one, the recovery codes',
    errors: [FactorNotFoundError, ...CONFIRMED],
  })
  remove(
    @CurrentSession() caller: SessionCaller,
    @Param() { id }: ObjectIdParam,
    @Body() dto: PresenceDto,
  ): Promise<void> {
    return this.factors.remove(caller, id, dto);
  }
}
