import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import ms from 'ms';
import type * as Library from 'openid-client';
import { Env } from '../../platform/config/env.js';
import { identityOf, type Identity } from './identity.js';
import { OidcNotConfiguredError, OidcRefusedError, OidcUnavailableError } from './oidc.errors.js';

/** Milliseconds that a request waits for the provider: less than the server may work on a request. */
const TIMEOUT_MS = 4_000;

/** Codes of openid-client for an answer that is none, such as the error page of a proxy. */
const NO_ANSWER = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'];

/** The provider of OIDC_ISSUER: OpenID Connect with the code flow, PKCE and a nonce. */
@Injectable()
export class IdentityProvider {
  private readonly logger = new Logger(IdentityProvider.name);

  /** The configuration of the provider. A discovery that fails is not kept, so the next sign-in repeats it. */
  private readonly discovered = new LRUCache<string, Library.Configuration>({
    max: 1,
    ttl: ms('1h'),
    fetchMethod: (issuer) => this.discover(issuer),
  });

  constructor(private readonly env: Env) {}

  /** @throws OidcNotConfiguredError */
  demand(): void {
    if (this.env.OIDC_ISSUER === undefined) throw new OidcNotConfiguredError();
  }

  /**
   * The page of the provider at which a person signs in.
   *
   * @param codeChallenge PKCE challenge (S256) of the verifier that `identify` is called with
   * @throws OidcUnavailableError
   */
  async signInUrl(checks: {
    readonly state: string;
    readonly nonce: string;
    readonly codeChallenge: string;
  }): Promise<string> {
    const { state, nonce, codeChallenge } = checks;
    return this.ask(
      ({ buildAuthorizationUrl }, provider) =>
        buildAuthorizationUrl(provider, {
          redirect_uri: this.redirectUri.href,
          scope: this.env.OIDC_SCOPES,
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
          state,
          nonce,
        }).href,
    );
  }

  /**
   * Exchanges the code of the provider's answer, and checks everything about it and its ID token.
   *
   * @param answer the parameters that the provider has sent
   * @throws OidcRefusedError @throws OidcUnavailableError
   */
  async identify(
    answer: Readonly<Record<string, string | undefined>>,
    checks: { readonly state: string; readonly nonce: string; readonly verifier: string },
  ): Promise<Identity> {
    const url = this.redirectUri;
    for (const [name, value] of Object.entries(answer)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return this.ask(async ({ authorizationCodeGrant, fetchUserInfo }, provider) => {
      const tokens = await authorizationCodeGrant(provider, url, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
      });
      const claims = tokens.claims();
      if (!claims) throw new OidcRefusedError();
      // Many providers put addresses and groups here only.
      const others = provider.serverMetadata().userinfo_endpoint
        ? await fetchUserInfo(provider, tokens.access_token, claims.sub)
        : {};
      return identityOf({ ...others, ...claims }, this.env.OIDC_ROLES);
    });
  }

  /** Asks the provider for its configuration, for an operator. @returns the issuer @throws what the discovery throws */
  async check(): Promise<string> {
    return (await this.discover(this.env.OIDC_ISSUER ?? '')).serverMetadata().issuer;
  }

  private get redirectUri(): URL {
    return new URL(`${this.env.PUBLIC_URL}/auth/oidc/callback`);
  }

  /** Asks the provider, for TIMEOUT_MS at most. The log gets no message of an error that could hold a code or token. */
  private async ask<Result>(
    question: (
      library: typeof Library,
      provider: Library.Configuration,
    ) => Result | Promise<Result>,
  ): Promise<Result> {
    const isLate = setTimeout(TIMEOUT_MS, undefined, { ref: false }).then((): never => {
      throw new OidcUnavailableError();
    });
    const answer = Promise.all([import('openid-client'), this.provider()]).then(
      ([library, provider]) => question(library, provider),
    );
    try {
      return await Promise.race([answer, isLate]);
    } catch (error) {
      const { name, code, cause } = error as Error & { readonly code?: string };
      const why = [name, code, (cause as { readonly code?: string } | undefined)?.code];
      this.logger.warn(`no sign-in by the provider: ${why.filter(Boolean).join(' ')}`);
      const isDown = error instanceof TypeError || NO_ANSWER.includes(code ?? '');
      if (isDown || error instanceof OidcUnavailableError) throw new OidcUnavailableError();
      throw new OidcRefusedError();
    }
  }

  /** @throws OidcUnavailableError */
  private async provider(): Promise<Library.Configuration> {
    try {
      return await this.discovered.forceFetch(this.env.OIDC_ISSUER ?? '');
    } catch (error) {
      this.logger.warn(`the discovery of OIDC_ISSUER has failed: ${String(error)}`);
      throw new OidcUnavailableError();
    }
  }

  private async discover(issuer: string): Promise<Library.Configuration> {
    const { OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET } = this.env;
    const library = await import('openid-client');
    const byHeader = library.ClientSecretBasic(OIDC_CLIENT_SECRET);
    const inBody = library.ClientSecretPost(OIDC_CLIENT_SECRET);
    const { allowInsecureRequests, enableNonRepudiationChecks } = library;
    return library.discovery(
      new URL(issuer),
      OIDC_CLIENT_ID,
      {},
      (server, ...request) => {
        // The header is the method of providers that name none (OpenID Connect Discovery, section 3).
        const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
        (methods.includes('client_secret_basic') ? byHeader : inBody)(server, ...request);
      },
      {
        timeout: TIMEOUT_MS / 1_000,
        execute: [
          enableNonRepudiationChecks,
          // The settings allow http on this machine only.
          ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
        ],
      },
    );
  }
}
