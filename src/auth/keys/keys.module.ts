import { Module } from '@nestjs/common';
import { Env } from '../../platform/config/env.js';
import { Resealing } from './resealing.service.js';
import { SecretBox } from './secret-box.service.js';
import { SigningKeys } from './signing-keys.js';

/** The signing keys and what is derived from them. It is a module of its own, because features below `auth` use it. */
@Module({
  providers: [
    SecretBox,
    Resealing,
    { provide: SigningKeys, inject: [Env], useFactory: (env: Env) => SigningKeys.load(env) },
  ],
  exports: [SecretBox, Resealing, SigningKeys],
})
export class KeysModule {}
