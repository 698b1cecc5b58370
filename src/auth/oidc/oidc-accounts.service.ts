import { Injectable } from '@nestjs/common';
import ms from 'ms';
import { Types, type ClientSession } from 'mongoose';
import { MailService } from '../../events/mail/mail.service.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../platform/clock.js';
import type { RequestOrigin } from '../../platform/http/client-address/origin.decorator.js';
import type { Warned } from '../../platform/http/envelope/warned.js';
import { AddressService } from '../../user/address.service.js';
import { AlreadyRegisteredError } from '../../user/user.errors.js';
import { userChanges, UserService, type Credentials } from '../../user/user.service.js';
import { InvalidCredentialsError } from '../auth.errors.js';
import { AuthService } from '../auth.service.js';
import { hashOf, newToken, OneTimeTokens } from '../one-time-tokens/one-time-tokens.service.js';
import { PasswordService, type SignInAccount } from '../password/password.service.js';
import { SignUpPolicy } from '../sign-up-policy.service.js';
import type { SignedInView } from '../views/signed-in.view.js';
import { ExchangeOidcDto } from './dto/exchange-oidc.dto.js';
import { storedIdentity, type Identity } from './identity.js';
import {
  AccountDisabledError,
  OidcCodeError,
  OidcEmailUnverifiedError,
  PasswordNeededError,
} from './oidc.errors.js';
import { ProviderLinks } from './provider-links.service.js';
import { ProviderRoles } from './provider-roles.service.js';

const KIND = 'oidcCode';

/** Milliseconds that somebody has to type the password that links an account. */
const LINKING_MS = ms('5m');

/** The account of a person, as far as a session needs it. */
type Entered = Pick<SignInAccount, '_id' | 'epoch' | 'factor'>;

interface FoundAccount {
  readonly account: Credentials;
  /** False if the account has only the same email address as the person. */
  readonly isLinked: boolean;
}

/** Finds, links and makes the accounts of people whom the provider has identified. */
@Injectable()
export class OidcAccounts {
  constructor(
    private readonly links: ProviderLinks,
    private readonly roles: ProviderRoles,
    private readonly users: UserService,
    private readonly addresses: AddressService,
    private readonly passwords: PasswordService,
    private readonly policy: SignUpPolicy,
    private readonly auth: AuthService,
    private readonly tokens: OneTimeTokens,
    private readonly mails: MailService,
    private readonly coherence: CacheCoherenceService,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes the code by which a client gets a session for this person.
   *
   * @param codeChallenge the challenge of the client's verifier
   * @throws AccountDisabledError @throws OidcEmailUnverifiedError @throws SignUpClosedError
   */
  async admit(identity: Identity, codeChallenge: string): Promise<string> {
    const found = await this.find(identity);
    if (!found || found.isLinked) {
      return this.tokens.issue(KIND, { data: { ...identity, codeChallenge } });
    }
    const code = newToken();
    const expiresAt = new Date(this.clock.now().getTime() + LINKING_MS);
    await this.tokens.store(KIND, code, { data: { ...identity, codeChallenge }, expiresAt });
    return code;
  }

  /**
   * Opens a session for the person of a code, whose account is made or linked if there is none.
   *
   * @throws OidcCodeError @throws PasswordNeededError, which does not use the code up
   * @throws InvalidCredentialsError @throws SecondFactorRequiredError @throws WrongCodeError
   * @throws TooManyRequestsError @throws as `admit`
   */
  async enter(dto: ExchangeOidcDto, origin: RequestOrigin): Promise<Warned<SignedInView>> {
    const { data } = (await this.tokens.find(KIND, dto.code)) ?? {};
    if (data?.['codeChallenge'] !== hashOf(dto.codeVerifier)) throw new OidcCodeError();
    const identity = storedIdentity(data);
    const enter = (): Promise<Entered> => this.account(identity, dto, origin.addressPrefix);
    const {
      _id,
      epoch = 0,
      factor = 'provider',
    } = await enter().catch((error: unknown) => {
      // Another sign-in of this person may have made the account meanwhile.
      if (error instanceof AlreadyRegisteredError) return enter();
      throw error;
    });
    await this.roles.update(_id, identity);
    return this.auth.openSession(_id, epoch, origin, { factor, isConfirmed: true });
  }

  /** @returns null if the person may make an account @throws as `admit` */
  private async find(identity: Identity): Promise<FoundAccount | null> {
    const { email } = identity;
    const user = await this.links.findUser(identity);
    if (!user && email === '') throw new OidcEmailUnverifiedError();
    const account = await this.users.findCredentials(user ? { _id: user } : { email });
    if (!account && !user) {
      this.policy.demandOpen();
      return null;
    }
    if (!account || account.status === false) throw new AccountDisabledError();
    return { account, isLinked: user !== null };
  }

  /** Uses the code, and notes, links or makes the account. */
  private async account(
    identity: Identity,
    dto: ExchangeOidcDto,
    clientPrefix: string,
  ): Promise<Entered> {
    const found = await this.find(identity);
    if (!found) return this.create(identity, dto, clientPrefix);
    const { account, isLinked } = found;
    const owner = isLinked ? account : await this.prove(account, dto, clientPrefix);
    const { _id, email } = owner;
    const changes = isLinked ? [] : userChanges(_id);
    await this.coherence.transaction(changes, async (transaction) => {
      await this.use(dto, transaction);
      if (isLinked) {
        await this.links.noteUse(identity, transaction);
        // The snapshot of the transaction may be older than a link that was just made, so this read is outside it.
        if (await this.links.findUser(identity)) return;
        throw new OidcCodeError();
      }
      await this.links.add(_id, identity, { clientPrefix }, transaction);
      await this.addresses.setVerified(_id, email, transaction);
      await this.mails.tell('providerLinked', _id, transaction);
    });
    return owner;
  }

  /** Has the owner of an account prove the password, and the second factor. */
  private async prove(
    { email }: Credentials,
    { password, secondFactor }: ExchangeOidcDto,
    clientPrefix: string,
  ): Promise<SignInAccount> {
    if (password === undefined) throw new PasswordNeededError();
    const code = secondFactor === undefined ? {} : { code: secondFactor };
    const owner = await this.passwords.findAccount({ email, password, ...code }, clientPrefix);
    if (!owner) throw new InvalidCredentialsError();
    return owner;
  }

  /** @throws AlreadyRegisteredError */
  private async create(
    identity: Identity,
    dto: ExchangeOidcDto,
    clientPrefix: string,
  ): Promise<Entered> {
    const { email, name } = identity;
    const _id = new Types.ObjectId();
    const actor = { userId: _id, clientPrefix };
    const roles = await this.roles.idsFor(identity);
    await this.coherence.transaction(userChanges(_id), async (transaction) => {
      await this.use(dto, transaction);
      await this.users.insert({ _id, email, name, roles }, actor, transaction);
      await this.links.add(_id, identity, actor, transaction);
    });
    return { _id, epoch: 0 };
  }

  /** Uses the code up. @throws OidcCodeError */
  private async use({ code }: ExchangeOidcDto, transaction: ClientSession | null): Promise<void> {
    if (!(await this.tokens.consume(KIND, code, transaction))) throw new OidcCodeError();
  }
}
