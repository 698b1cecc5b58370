import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { MongooseModule } from '@nestjs/mongoose';
import { Env } from '../platform/config/env.js';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module.js';
import { UserModule } from '../user/user.module.js';
import { AccessTokenStrategy } from './token/access-token.strategy.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { CallerService } from './caller.service.js';
import { JwksController } from './token/jwks.controller.js';
import { PasswordHasher } from './password/password-hasher.js';
import { PasswordBulkhead } from './password/password-bulkhead.js';
import { PasswordService } from './password/password.service.js';
import { Session, SessionSchema } from './session.schema.js';
import { SessionController } from './session.controller.js';
import { SessionService } from './session.service.js';
import { TokenPairService } from './token/token-pair.service.js';
import { VerifiedTokens } from './token/verified-tokens.js';
import { SecretBox } from './token/secret-box.service.js';
import { SigningKeys } from './token/signing-keys.js';

@Module({
  imports: [
    UserModule,
    RateLimitModule,
    JwtModule.register({}),
    MongooseModule.forFeature([{ name: Session.name, schema: SessionSchema }]),
  ],
  controllers: [AuthController, SessionController, JwksController],
  providers: [
    AuthService,
    AccessTokenStrategy,
    CallerService,
    PasswordHasher,
    PasswordBulkhead,
    PasswordService,
    SecretBox,
    SessionService,
    TokenPairService,
    VerifiedTokens,
    { provide: SigningKeys, inject: [Env], useFactory: (env: Env) => SigningKeys.load(env) },
  ],
  exports: [
    CallerService,
    PasswordHasher,
    PasswordBulkhead,
    PasswordService,
    SecretBox,
    SessionService,
  ],
})
export class AuthModule {}
