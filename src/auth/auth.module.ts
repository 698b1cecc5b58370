import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../events/audit/audit.module.js';
import { IdempotencyModule } from '../platform/idempotency/idempotency.module.js';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module.js';
import { MailModule } from '../events/mail/mail.module.js';
import { UserModule } from '../user/user.module.js';
import { PersonalToken, PersonalTokenSchema } from './access-tokens/personal-token.schema.js';
import { PersonalTokenService } from './access-tokens/personal-token.service.js';
import { PersonalTokensController } from './access-tokens/personal-tokens.controller.js';
import { AccessTokenStrategy } from './token/access-token.strategy.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { EmailChangeService } from './email/email-change.service.js';
import { EmailController } from './email/email.controller.js';
import { EmailVerificationService } from './email/email-verification.service.js';
import { AccountPolicy } from './guards/account-policy.service.js';
import { Factor, FactorSchema } from './factors/factor.schema.js';
import { FactorsController } from './factors/factors.controller.js';
import { FactorsService } from './factors/factors.service.js';
import { PasskeyEnrolment } from './factors/passkeys/passkey-enrolment.service.js';
import { PasskeySignIn } from './factors/passkeys/passkey-sign-in.service.js';
import { PasskeysController } from './factors/passkeys/passkeys.controller.js';
import { RelyingParty } from './factors/passkeys/relying-party.service.js';
import { RecoveryCodes } from './factors/recovery-codes.service.js';
import { SecondFactor } from './factors/second-factor.service.js';
import { TotpService } from './factors/totp.service.js';
import { LinkMails } from './one-time-tokens/link-mails.service.js';
import { OneTimeToken, OneTimeTokenSchema } from './one-time-tokens/one-time-token.schema.js';
import { OneTimeTokens } from './one-time-tokens/one-time-tokens.service.js';
import { IdentityProvider } from './oidc/identity-provider.service.js';
import { OidcAccounts } from './oidc/oidc-accounts.service.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcSignIn } from './oidc/oidc-sign-in.service.js';
import { ProviderLink, ProviderLinkSchema } from './oidc/provider-link.schema.js';
import { ProviderLinks } from './oidc/provider-links.service.js';
import { ProviderRoles } from './oidc/provider-roles.service.js';
import { PasswordResetController } from './password/reset/password-reset.controller.js';
import { PasswordResetService } from './password/reset/password-reset.service.js';
import { SignUpPolicy } from './sign-up-policy.service.js';
import { CallerService } from './caller.service.js';
import { JwksController } from './keys/jwks.controller.js';
import { PasswordHasher } from './password/password-hasher.js';
import { PasswordBulkhead } from './password/password-bulkhead.js';
import { PasswordService } from './password/password.service.js';
import { KnownDevice, KnownDeviceSchema } from './session/devices/known-device.schema.js';
import { KnownDevices } from './session/devices/known-devices.service.js';
import { Session, SessionSchema } from './session/session.schema.js';
import { SessionController } from './session/session.controller.js';
import { ActiveSessions } from './session/active-sessions.service.js';
import { SessionService } from './session/session.service.js';
import { TokenPairService } from './token/token-pair.service.js';
import { VerifiedTokens } from './token/verified-tokens.js';
import { KeysModule } from './keys/keys.module.js';

@Module({
  imports: [
    AuditModule,
    KeysModule,
    UserModule,
    IdempotencyModule,
    RateLimitModule,
    JwtModule.register({}),
    MailModule,
    MongooseModule.forFeature([
      { name: Session.name, schema: SessionSchema },
      { name: KnownDevice.name, schema: KnownDeviceSchema },
      { name: PersonalToken.name, schema: PersonalTokenSchema },
      { name: Factor.name, schema: FactorSchema },
      { name: OneTimeToken.name, schema: OneTimeTokenSchema },
      { name: ProviderLink.name, schema: ProviderLinkSchema },
    ]),
  ],
  controllers: [
    FactorsController,
    PasskeysController,
    PasswordResetController,
    EmailController,
    AuthController,
    SessionController,
    PersonalTokensController,
    JwksController,
    OidcController,
  ],
  providers: [
    AuthService,
    AccountPolicy,
    FactorsService,
    PasskeyEnrolment,
    PasskeySignIn,
    RelyingParty,
    RecoveryCodes,
    SecondFactor,
    TotpService,
    EmailVerificationService,
    EmailChangeService,
    LinkMails,
    OneTimeTokens,
    IdentityProvider,
    OidcAccounts,
    OidcSignIn,
    ProviderLinks,
    ProviderRoles,
    PasswordResetService,
    SignUpPolicy,
    AccessTokenStrategy,
    CallerService,
    PasswordHasher,
    PasswordBulkhead,
    PasswordService,
    PersonalTokenService,
    ActiveSessions,
    KnownDevices,
    SessionService,
    TokenPairService,
    VerifiedTokens,
  ],
  exports: [
    AuthService,
    AccountPolicy,
    FactorsService,
    CallerService,
    LinkMails,
    OneTimeTokens,
    ProviderLinks,
    SignUpPolicy,
    PasswordHasher,
    PasswordBulkhead,
    PasswordService,
    PersonalTokenService,
    KeysModule,
    KnownDevices,
    SessionService,
  ],
})
export class AuthModule {}
