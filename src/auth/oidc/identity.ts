import type { RoleRule } from '../../platform/config/people/provider.decorators.js';
import { isEmailAddress, normalizeEmail } from '../../user/email.decorator.js';
import { newName } from '../../user/names/name.decorator.js';
import type { TokenData } from '../one-time-tokens/one-time-token.schema.js';

/** What a provider tells of a person. Its values are texts, because a one-time token keeps them. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Empty unless the provider says that it has verified the address. */
  readonly email: string;
  readonly name: string;
  /** The roles that OIDC_ROLES gives to the person, with commas between them. */
  readonly roles: string;
}

export type Claims = Readonly<Record<string, unknown>>;

const MAX_NAME = 200;

/** The name of somebody of whom the provider tells none that an account may have. */
const NAMELESS = 'New member';

/** @param claims with `iss` and `sub` */
export function identityOf(claims: Claims, rules: readonly RoleRule[]): Identity {
  const { email } = claims;
  const address = typeof email === 'string' ? normalizeEmail(email) : '';
  const isVerified = claims['email_verified'] === true && isEmailAddress(address);
  const roles = rules.filter(({ claim, value }) => [claims[claim]].flat().includes(value));
  return {
    issuer: String(claims['iss']),
    subject: String(claims['sub']),
    email: isVerified ? address : '',
    name: nameOf([claims['name'], claims['preferred_username'], address.split('@')[0]]),
    roles: roles.map(({ role }) => role).join(),
  };
}

/** Reads an identity from the data of a one-time token. */
export function storedIdentity(data: TokenData): Identity {
  const { issuer = '', subject = '', email = '', name = '', roles = '' } = data;
  return { issuer, subject, email, name, roles };
}

/** The first text that may be the name of an account, cut to its length. */
function nameOf(candidates: readonly unknown[]): string {
  const names = candidates
    .filter((candidate) => typeof candidate === 'string')
    .map((text) => newName([...text.trim()].slice(0, MAX_NAME).join('')))
    .filter(({ value, problem }) => value !== '' && problem === null);
  return names[0]?.value ?? NAMELESS;
}
