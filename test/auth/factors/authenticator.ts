import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { Answer, Client } from '../../support/client.js';
import { PASSWORD, type Person } from '../../support/factories.js';

/** The host of PUBLIC_URL of the servers of tests. */
const RP_ID = 'press.example';

/** Flags of authenticator data: user present, user verified, and a new key follows (WebAuthn, section 6.1). */
const [PRESENT, VERIFIED, NEW_KEY] = [0x01, 0x04, 0x40];

/** What an authenticator or browser does otherwise than it should. */
export interface Deviations {
  readonly challenge?: string | number;
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: false;
  readonly isPresent?: false;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly id?: string;
  readonly type?: string;
  /** Signs with the key of another authenticator. */
  readonly key?: Authenticator;
}

interface Options {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

/** An authenticator with one passkey, an ES256 key. It counts its signatures unless `counter` is set. */
export class Authenticator {
  readonly id = randomBytes(16).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #userHandle = '';
  #counter = 0;

  /** What `navigator.credentials.create` returns, as text. */
  create({ challenge, user }: Options, deviations: Deviations = {}): string {
    this.#userHandle = user?.id ?? '';
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const coordinates = [x, y].map((text) => new Uint8Array(Buffer.from(text, 'base64url')));
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinates[0] as Uint8Array],
      [-3, coordinates[1] as Uint8Array],
    ]);
    const id = Buffer.from(deviations.id ?? this.id, 'base64url');
    const key = [Buffer.alloc(16), Buffer.from([0, id.length]), id, isoCBOR.encode(cose)];
    const authData = Buffer.concat([this.#data(deviations, NEW_KEY), ...key]);
    const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', new Uint8Array(authData)],
    ]);
    const attestationObject = base64url(isoCBOR.encode(attestation));
    const clientDataJSON = clientData({ type: 'webauthn.create', challenge, ...deviations });
    return this.#credential({ attestationObject, clientDataJSON }, deviations);
  }

  /** What `navigator.credentials.get` returns, as text. */
  get({ challenge }: Options, deviations: Deviations = {}): string {
    const data = this.#data(deviations);
    const clientDataJSON = clientData({ type: 'webauthn.get', challenge, ...deviations });
    const hash = sha256(Buffer.from(clientDataJSON, 'base64url'));
    const { privateKey } = (deviations.key ?? this).#keys;
    const signature = base64url(sign('sha256', Buffer.concat([data, hash]), privateKey));
    const userHandle = deviations.userHandle ?? this.#userHandle;
    const authenticatorData = base64url(data);
    return this.#credential(
      { authenticatorData, clientDataJSON, signature, userHandle },
      deviations,
    );
  }

  #data({ rpId = RP_ID, isPresent, isVerified, counter }: Deviations, more = 0): Buffer {
    const flags =
      (isPresent === false ? 0 : PRESENT) | (isVerified === false ? 0 : VERIFIED) | more;
    const end = Buffer.alloc(5);
    end.writeUInt8(flags);
    end.writeUInt32BE(counter ?? (this.#counter += 1), 1);
    return Buffer.concat([sha256(Buffer.from(rpId)), end]);
  }

  #credential(response: object, { id = this.id }: Deviations): string {
    const rest = { type: 'public-key', clientExtensionResults: {} };
    return JSON.stringify({ id, rawId: id, ...rest, response });
  }
}

/** Adds a passkey to the account of the client. */
export async function addPasskey(
  { client }: Pick<Person, 'client'>,
  authenticator: Authenticator,
  deviations: Deviations = {},
): Promise<Answer<{ recoveryCodes: string[] }>> {
  const path = '/auth/factors/passkeys';
  const begun = await client.post<{ options: Options }>(`${path}/options`, { password: PASSWORD });
  const response = authenticator.create(begun.body.data.options, deviations);
  return client.post(path, { name: 'My key', response });
}

/** Signs in by a passkey. */
export async function signInByPasskey(
  client: Client,
  authenticator: Authenticator,
  deviations: Deviations = {},
): Promise<Answer<{ tokens: { accessToken: string; refreshToken: string } }>> {
  const begun = await client.post<{ options: Options }>('/auth/passkeys/options');
  const response = authenticator.get(begun.body.data.options, deviations);
  return client.post('/auth/signin/passkey', { response });
}

function clientData({
  type,
  challenge,
  origin = `https://${RP_ID}`,
}: Pick<Deviations, 'type' | 'challenge' | 'origin'>): string {
  return base64url(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })));
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
