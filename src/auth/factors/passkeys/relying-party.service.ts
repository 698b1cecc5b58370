import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Types } from 'mongoose';
import { Env } from '../../../platform/config/env.js';
import { siteNameOf } from '../../../platform/config/people/site-name.js';
import type { Credentials } from '../../../user/user.service.js';
import { PasskeysNotConfiguredError } from '../../auth.errors.js';
import { ONE_TIME_TOKENS } from '../../one-time-tokens/one-time-token-kinds.js';
import type { Factor } from '../factor.schema.js';

/** A response of a browser. Only its id has been checked until it is verified. */
export type PasskeyResponse = RegistrationResponseJSON & AuthenticationResponseJSON;

/** What a response has proved, for the challenge that it names: the caller checks that one. */
type Proved<Result> = Result & { readonly challenge: string };

type NewPasskey = Required<Pick<Factor, 'credentialId' | 'publicKey' | 'counter'>>;

/** EdDSA, ES256 and RS256 in COSE, the default of the library without one for which Node prints a warning. */
const ALGORITHMS = { supportedAlgorithmIDs: [-8, -7, -257] };

/** Loads the library with the first passkey, because that takes half a second and 30 MB. */
const webauthn = () => import('@simplewebauthn/server');

/**
 * The relying party of passkeys (WebAuthn, section 4): it makes the options for browsers, and verifies what they
 * return. Its id is the host name of PUBLIC_URL, never a name that a request gives.
 */
@Injectable()
export class RelyingParty {
  private readonly id: string | null;
  private readonly origins: string[];
  private readonly name: string;

  constructor(env: Env) {
    const url = URL.parse(env.PUBLIC_URL ?? '');
    const page = URL.parse(env.SITE_ACCOUNT_URL ?? '');
    // Browsers refuse an IP address as the id of a relying party.
    const id = url && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 ? url.hostname : null;
    const isBelow = ({ hostname }: URL): boolean => hostname === id || hostname.endsWith(`.${id}`);
    this.id = id;
    this.origins = [url, page]
      .filter((at) => at !== null)
      .filter(isBelow)
      .map((at) => at.origin);
    this.name = siteNameOf(env);
  }

  /** @throws PasskeysNotConfiguredError */
  demand(): string {
    if (this.id === null) throw new PasskeysNotConfiguredError();
    return this.id;
  }

  /** Options for a new passkey that is none of those that the owner has. @throws PasskeysNotConfiguredError */
  async creationOptions(
    { _id, email, name }: Credentials,
    present: readonly Factor[],
    challenge: string,
  ): Promise<object> {
    const { generateRegistrationOptions } = await webauthn();
    return generateRegistrationOptions({
      rpName: this.name,
      rpID: this.demand(),
      userID: new Uint8Array(_id.id),
      userName: email,
      userDisplayName: name,
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      timeout: ONE_TIME_TOKENS.passkeyEnrolment,
      excludeCredentials: present.map(({ credentialId = '' }) => ({ id: credentialId })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      ...ALGORITHMS,
    });
  }

  /** Options that name no account: the browser asks its user for a passkey. @throws PasskeysNotConfiguredError */
  async requestOptions(challenge: string): Promise<object> {
    const { generateAuthenticationOptions } = await webauthn();
    return generateAuthenticationOptions({
      rpID: this.demand(),
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      timeout: ONE_TIME_TOKENS.passkeySignIn,
      userVerification: 'required',
    });
  }

  /** @returns null for a response that proves nothing */
  async verifyNew(response: PasskeyResponse): Promise<Proved<NewPasskey> | null> {
    const { verifyRegistrationResponse } = await webauthn();
    return this.verify(async (expected) => {
      const given = { response, ...ALGORITHMS, ...expected };
      const { registrationInfo } = await verifyRegistrationResponse(given);
      if (!registrationInfo) return null;
      const { id: credentialId, publicKey, counter } = registrationInfo.credential;
      return { credentialId, publicKey: base64url(publicKey), counter };
    });
  }

  /** @returns null for a response that proves nothing, also if its counter goes back */
  async verifyUse(
    response: PasskeyResponse,
    { user, credentialId = '', publicKey = '', counter = 0 }: Factor,
  ): Promise<Proved<{ counter: number }> | null> {
    const { verifyAuthenticationResponse } = await webauthn();
    const key = new Uint8Array(Buffer.from(publicKey, 'base64url'));
    const credential = { id: credentialId, publicKey: key, counter };
    return this.verify(async (expected) => {
      const given = { response, credential, ...expected };
      const { verified, authenticationInfo } = await verifyAuthenticationResponse(given);
      const isOwner = response.response.userHandle === handleOf(user);
      return verified && isOwner ? { counter: authenticationInfo.newCounter } : null;
    });
  }

  private async verify<Result>(
    check: (expected: {
      readonly expectedChallenge: (given: string) => boolean;
      readonly expectedOrigin: string[];
      readonly expectedRPID: string;
    }) => Promise<Result | null>,
  ): Promise<Proved<Result> | null> {
    let challenge = '';
    const expectedChallenge = (given: unknown): boolean => {
      challenge = String(given);
      return true;
    };
    const expectedRPID = this.demand();
    try {
      const expected = { expectedChallenge, expectedOrigin: this.origins, expectedRPID };
      const result = await check(expected);
      return result && { ...result, challenge };
    } catch {
      // The library throws for whatever does not fit, and for any other form of response.
      return null;
    }
  }
}

/** @returns null for a text that is no response of a browser */
export function parseResponse(text: string): PasskeyResponse | null {
  try {
    const response = JSON.parse(text) as PasskeyResponse | null;
    const id: unknown = response?.id;
    return typeof id === 'string' && id !== '' ? response : null;
  } catch {
    return null;
  }
}

/** The user handle: the id of the account, which tells a finder of the passkey nothing. */
function handleOf(user: Types.ObjectId): string {
  return base64url(user.id);
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
