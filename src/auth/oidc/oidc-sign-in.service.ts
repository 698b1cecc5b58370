import { Injectable } from '@nestjs/common';
import ms from 'ms';
import { Env } from '../../platform/config/env.js';
import { ApiError, InvalidBodyError } from '../../platform/http/errors/api.errors.js';
import type { RequestOrigin } from '../../platform/http/client-address/origin.decorator.js';
import type { Warned } from '../../platform/http/envelope/warned.js';
import { WithHeaders } from '../../platform/http/envelope/with-headers.js';
import { RateLimitService } from '../../platform/rate-limit/rate-limit.service.js';
import { ONE_TIME_TOKENS } from '../one-time-tokens/one-time-token-kinds.js';
import type { TokenData } from '../one-time-tokens/one-time-token.schema.js';
import { hashOf, newToken, OneTimeTokens } from '../one-time-tokens/one-time-tokens.service.js';
import type { SignedInView } from '../views/signed-in.view.js';
import { ExchangeOidcDto } from './dto/exchange-oidc.dto.js';
import { OidcCallbackQuery } from './dto/oidc-callback.query.js';
import type { OidcStartView } from './dto/oidc-start.view.js';
import { StartOidcDto } from './dto/start-oidc.dto.js';
import { IdentityProvider } from './identity-provider.service.js';
import { OidcAccounts } from './oidc-accounts.service.js';
import { OidcStateError } from './oidc.errors.js';

/**
 * Sends people to the provider and takes them back. The browser keeps the PKCE verifier of the server in a cookie, so
 * only the browser that has begun a sign-in can end it, and the server stores no secret.
 */
@Injectable()
export class OidcSignIn {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly accounts: OidcAccounts,
    private readonly tokens: OneTimeTokens,
    private readonly limits: RateLimitService,
    private readonly env: Env,
  ) {}

  /**
   * Begins a sign-in.
   *
   * @throws OidcNotConfiguredError @throws TooManyRequestsError @throws OidcUnavailableError
   * @throws InvalidBodyError for an address that OIDC_RETURN_URLS does not list
   */
  async start(
    { returnUrl, codeChallenge }: StartOidcDto,
    { addressPrefix }: RequestOrigin,
  ): Promise<WithHeaders<OidcStartView>> {
    this.provider.demand();
    await this.limits.count('oidc', addressPrefix);
    if (!this.env.OIDC_RETURN_URLS.includes(returnUrl)) {
      const message = 'returnUrl must be one of OIDC_RETURN_URLS, exactly';
      throw new InvalidBodyError([{ field: 'returnUrl', message }]);
    }
    const [verifier, nonce] = [newToken(), newToken()];
    // A challenge of PKCE is the SHA-256 of its verifier (S256, RFC 7636, section 4.2).
    const challenge = hashOf(verifier);
    const data = { returnUrl, codeChallenge, challenge, nonce };
    const state = await this.tokens.issue('oidcState', { data });
    const url = await this.provider.signInUrl({ state, nonce, codeChallenge: challenge });
    const { name, attributes } = this.cookie;
    const maxAge = `Max-Age=${ONE_TIME_TOKENS.oidcState / ms('1s')}`;
    const cookie = `${name}=${verifier}; Path=/; ${maxAge}; HttpOnly; SameSite=Lax${attributes}`;
    const listsOrigins = !['*', undefined].includes(this.env.CORS_ORIGINS[0]);
    return new WithHeaders(
      {
        'set-cookie': cookie,
        ...(listsOrigins ? { 'access-control-allow-credentials': 'true' } : {}),
      },
      { url },
    );
  }

  /**
   * Ends the part of the provider.
   *
   * @param cookies the header with the cookies of the browser
   * @returns a redirect to the client, with a code or the reason of the refusal in the fragment
   * @throws OidcNotConfiguredError @throws TooManyRequestsError
   * @throws OidcStateError if the state is unknown, so that there is no address
   */
  async finish(
    query: OidcCallbackQuery,
    cookies: string,
    { addressPrefix }: RequestOrigin,
  ): Promise<{ url: string; statusCode: number }> {
    this.provider.demand();
    await this.limits.count('oidc', addressPrefix);
    const found = await this.tokens.find('oidcState', query.state ?? '');
    const { returnUrl } = found?.data ?? {};
    if (!found?.data || returnUrl === undefined) throw new OidcStateError();
    const result = await this.accept(query, cookies, found.data).then(
      (code) => `oidcCode=${code}`,
      (error: unknown) => {
        if (error instanceof ApiError) return `oidcError=${error.getResponse().reason}`;
        throw error;
      },
    );
    return { url: `${returnUrl}#${result}`, statusCode: 303 };
  }

  /** Ends a sign-in, and opens a session. @throws OidcNotConfiguredError @throws TooManyRequestsError @throws as `enter` */
  async exchange(dto: ExchangeOidcDto, origin: RequestOrigin): Promise<Warned<SignedInView>> {
    this.provider.demand();
    await this.limits.count('oidc', origin.addressPrefix);
    return this.accounts.enter(dto, origin);
  }

  /** @returns the code for the client @throws what `identify` and `admit` throw @throws OidcStateError */
  private async accept(
    query: OidcCallbackQuery,
    cookies: string,
    { challenge, codeChallenge = '', nonce = '' }: TokenData,
  ): Promise<string> {
    const [, verifier = ''] =
      new RegExp(`(?:^|; ?)${this.cookie.name}=([\\w-]{43})(?:;|$)`).exec(cookies) ?? [];
    if (hashOf(verifier) !== challenge) throw new OidcStateError();
    const { state = '' } = query;
    if (!(await this.tokens.consume('oidcState', state))) throw new OidcStateError();
    const identity = await this.provider.identify({ ...query }, { nonce, state, verifier });
    return this.accounts.admit(identity, codeChallenge);
  }

  /** Browsers accept the prefix only from https, for this host and all paths, so that no other host sets the cookie. */
  private get cookie(): { readonly name: string; readonly attributes: string } {
    return this.env.PUBLIC_URL?.startsWith('https:')
      ? { name: '__Host-pressroom-oidc', attributes: '; Secure' }
      : { name: 'pressroom-oidc', attributes: '' };
  }
}
