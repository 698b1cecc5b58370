import { SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { bitsOf, NO_SCOPE, type KeyScope } from './key-scopes/key-scope.js';
import type { RoleCode } from './role-code.js';

const CREDENTIALS = Symbol('credentials');
const SCOPES = Symbol('scopes');
const INCOMPLETE = Symbol('for incomplete accounts');
const SESSION_ONLY = Symbol('session only');
const UNLESS_PROVIDER_ONLY = Symbol('unless provider only');

/** What a request must present before its handler runs. */
export interface Access {
  readonly apiKey: boolean;
  /**
   * The access token that is needed: with `required` that of a session, or a personal one; with `session` only that
   * of a session. With `expired-ok`, which the refresh of tokens uses, the token of the session may have expired, but
   * its signature must be valid.
   */
  readonly token: 'required' | 'session' | 'expired-ok' | 'none';
  /** The roles, any one of which the caller needs; none if every account may call the handler. */
  readonly roles: readonly RoleCode[];
  /**
   * The bits of the scopes (key-scope.ts), any one of which the API key needs; NO_SCOPE if every valid key opens
   * the handler, or it needs none. A number, so that the check of a request allocates nothing.
   */
  readonly scopes: number;
  /** Whether the handler is for accounts, too, that have to confirm their address or enrol a second factor first. */
  readonly isForIncomplete: boolean;
  /** Whether the handler is closed while people sign in by the provider only. */
  readonly isUnlessProviderOnly?: true;
}

type Credentials = Pick<Access, 'apiKey' | 'token' | 'roles'>;

/**
 * The access rules of a handler that has no decorator of this file: an API key and a valid access token are
 * needed.
 */
const CLOSED: Credentials = { apiKey: true, token: 'required', roles: [] };

/** The scopes of handlers without `OpenedBy`: with an access token, and without. */
const DEFAULT_SCOPES = { withToken: bitsOf(['desk']), withoutToken: bitsOf(['read']) };

/** The access rules by controller and handler. Guards look them up for every request, and compare them by identity. */
const cache = new WeakMap<object, WeakMap<object, Access>>();

/**
 * Opens a handler to clients without an access token; `{ apiKey: false }` opens it also to clients without an
 * API key.
 */
export const Public = ({ apiKey = true } = {}): CustomDecorator<symbol> =>
  SetMetadata(CREDENTIALS, { apiKey, token: 'none', roles: [] } satisfies Credentials);

/** Accepts an access token that has expired, if its signature is valid. */
export const AcceptExpiredToken = (): CustomDecorator<symbol> =>
  SetMetadata(CREDENTIALS, { ...CLOSED, token: 'expired-ok' } satisfies Credentials);

/**
 * Requires that the caller has one of these roles. Roles are not hierarchical: ADMIN does not
 * include EDITOR.
 */
export const RequireRole = (
  ...roles: readonly [RoleCode, ...RoleCode[]]
): CustomDecorator<symbol> => SetMetadata(CREDENTIALS, { ...CLOSED, roles } satisfies Credentials);

/** Refuses personal access tokens: what a handler does needs somebody who has signed in. */
export const SessionOnly = (): CustomDecorator<symbol> => SetMetadata(SESSION_ONLY, true);

/** Closes a handler with OIDC_ONLY=on: it is for passwords, or for another sign-in than that by the provider. */
export const UnlessProviderOnly = (): CustomDecorator<symbol> =>
  SetMetadata(UNLESS_PROVIDER_ONLY, true);

/** Opens a handler to accounts, too, that have to confirm their address or enrol a second factor first. */
export const ForIncompleteAccounts = (): CustomDecorator<symbol> => SetMetadata(INCOMPLETE, true);

/**
 * Names the scopes, any one of which opens a handler to an API key. Without this decorator, the scope is `desk`
 * for a handler that needs an access token, and `read` for any other.
 */
export const OpenedBy = (...scopes: readonly [KeyScope, ...KeyScope[]]): CustomDecorator<symbol> =>
  SetMetadata(SCOPES, bitsOf(scopes));

/** Opens a handler to every valid API key, whatever its scopes. */
export const OpenedByEveryKey = (): CustomDecorator<symbol> => SetMetadata(SCOPES, NO_SCOPE);

/**
 * Returns the access rules of a handler, always the same object: each rule is that of the handler's decorator, else
 * that of the controller's, else that of CLOSED.
 */
export function accessOf(
  reflector: Reflector,
  context: Pick<ExecutionContext, 'getHandler' | 'getClass'>,
): Access {
  const known = cache.get(context.getClass())?.get(context.getHandler());
  if (known) return known;
  const [handler, controller] = [context.getHandler(), context.getClass()];
  const declared = <Rule>(key: symbol): Rule | undefined =>
    reflector.getAllAndOverride<Rule | undefined>(key, [handler, controller]);
  const credentials = declared<Credentials>(CREDENTIALS) ?? CLOSED;
  const { withToken, withoutToken } = DEFAULT_SCOPES;
  const scopes =
    declared<number>(SCOPES) ?? (credentials.token === 'none' ? withoutToken : withToken);
  const isSessionOnly = credentials.token === 'required' && declared<true>(SESSION_ONLY);
  const access: Access = {
    ...credentials,
    ...(isSessionOnly ? { token: 'session' } : {}),
    scopes: credentials.apiKey ? scopes : NO_SCOPE,
    isForIncomplete: declared<true>(INCOMPLETE) ?? credentials.token !== 'required',
    ...(declared<true>(UNLESS_PROVIDER_ONLY) ? { isUnlessProviderOnly: true } : {}),
  };
  cache.set(controller, (cache.get(controller) ?? new WeakMap()).set(handler, access));
  return access;
}
