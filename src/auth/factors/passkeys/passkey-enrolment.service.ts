import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../../../platform/clock.js';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { isDuplicateKey } from '../../../platform/database/is-duplicate-key.js';
import { inTransaction } from '../../../platform/database/transaction-option.js';
import type { SessionCaller } from '../../../platform/http/access/current-user.decorator.js';
import { MAX_PASSKEYS, PasskeyInvalidError, TooManyPasskeysError } from '../../auth.errors.js';
import { OneTimeTokens } from '../../one-time-tokens/one-time-tokens.service.js';
import { PresenceDto } from '../dto/factor.dto.js';
import { SESSION } from '../../session/session.cache.js';
import { Factor } from '../factor.schema.js';
import type { RecoveryCodesView } from '../factor.view.js';
import { FactorsService } from '../factors.service.js';
import type { PasskeyOptionsView } from './passkey-options.view.js';
import { NewPasskeyDto } from './passkey.dto.js';
import { parseResponse, RelyingParty } from './relying-party.service.js';

const CHALLENGE = 'passkeyEnrolment';

/** Adds passkeys to accounts. */
@Injectable()
export class PasskeyEnrolment {
  constructor(
    @InjectModel(Factor.name) private readonly passkeys: Model<Factor>,
    private readonly party: RelyingParty,
    private readonly factors: FactorsService,
    private readonly tokens: OneTimeTokens,
    private readonly coherence: CacheCoherenceService,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns options with a challenge of the caller, whose newest one counts
   * @throws PasskeysNotConfiguredError @throws TooManyPasskeysError @throws as `FactorsService.confirm`
   */
  async begin(caller: SessionCaller, { password }: PresenceDto): Promise<PasskeyOptionsView> {
    this.party.demand();
    const account = await this.factors.confirm(caller, password);
    const { _id: user } = account;
    const present = await this.passkeys.find({ user, kind: 'passkey' }).lean<Factor[]>();
    if (present.length >= MAX_PASSKEYS) throw new TooManyPasskeysError();
    await this.tokens.end(user, [CHALLENGE]);
    const challenge = await this.tokens.issue(CHALLENGE, { owner: user });
    return { options: await this.party.creationOptions(account, present, challenge) };
  }

  /** @throws PasskeysNotConfiguredError @throws PasskeyInvalidError @throws AccessTokenError */
  async add(caller: SessionCaller, { name, response }: NewPasskeyDto): Promise<RecoveryCodesView> {
    const parsed = parseResponse(response);
    const proved = parsed && (await this.party.verifyNew(parsed));
    if (!proved) throw new PasskeyInvalidError();
    const { challenge, ...passkey } = proved;
    const { userId: user } = caller;
    const fields = {
      user,
      kind: 'passkey',
      name,
      createdAt: this.clock.now(),
      ...passkey,
    } as const;
    let recoveryCodes: string[] = [];
    await this.coherence.transaction([SESSION.record(caller.sessionId)], async (transaction) => {
      const issued = await this.tokens.consume(CHALLENGE, challenge, transaction);
      if (!issued?.owner?.equals(user)) throw new PasskeyInvalidError();
      try {
        await this.passkeys.create([fields], inTransaction(transaction));
      } catch (error) {
        if (isDuplicateKey(error, 'credentialId')) throw new PasskeyInvalidError();
        throw error;
      }
      recoveryCodes = await this.factors.added(caller, 'passkey', transaction);
    });
    return { recoveryCodes };
  }
}
