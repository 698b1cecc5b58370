import {
  ApiKeyScopeError,
  ExpiredApiKeyError,
  InvalidApiKeyError,
  MissingApiKeyError,
} from '../apikey/api-key.errors.js';
import {
  AccessTokenError,
  AccessTokenExpiredError,
  InsufficientRoleError,
  ProviderOnlyError,
  SessionNeededError,
} from '../auth/auth.errors.js';
import type { Access } from '../platform/http/access/access.decorator.js';
import { KEY_SCOPES, NO_SCOPE } from '../platform/http/access/key-scopes/key-scope.js';
import {
  errorEnvelope,
  type Envelope,
  type ErrorMembers,
} from '../platform/http/envelope/envelope.js';
import {
  type ApiError,
  BodyTooLargeError,
  BadParameterError,
  DatabaseUnavailableError,
  FrameworkError,
  IdempotencyKeyReusedError,
  InternalServerError,
  UnsupportedMediaTypeError,
  StaleRevisionError,
  UnknownPathError,
} from '../platform/http/errors/api.errors.js';
import { MALFORMED_KEY } from '../platform/idempotency/creation.decorator.js';
import type { ErrorClass } from '../platform/http/openapi/endpoint.decorator.js';

/** The properties of an operation that determine its errors. */
export interface ErrorContext {
  /** The HTTP method, in capitals. */
  readonly method: string;
  readonly access: Access;
  /** The largest accepted body, in bytes. */
  readonly bodyLimit: number;
  /** The errors that `@Endpoint` of the handler lists. */
  readonly errors: readonly ErrorClass[];
  /** One validation error for each of path, query and body, as `inputErrors` returns them. */
  readonly inputErrors: readonly ApiError[];
  readonly inputs: Readonly<Record<'path' | 'body' | 'ifMatch' | 'idempotencyKey', boolean>>;
}

/** All errors of an operation that have the same status. */
export interface ErrorGroup {
  /** The messages of these errors. */
  readonly description: string;
  /** Names of the response headers that some of the errors set, in lower case. */
  readonly headers: readonly string[];
  /** Whether some of the errors list the invalid fields. */
  readonly hasFields: boolean;
  /** An example for each message, by its reason, or by the field that is invalid. */
  readonly examples: Readonly<Record<string, { readonly value: Envelope }>>;
}

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);

/** The errors that an operation may answer with, by status. */
export function errorsByStatus(context: ErrorContext): ReadonlyMap<number, ErrorGroup> {
  const { method, inputs } = context;
  const takesBody = METHODS_WITH_BODY.has(method);
  const errors: ApiError[] = [
    new FrameworkError('malformedRequest'),
    new FrameworkError('tooSlow'),
    new FrameworkError('headersTooLarge'),
    ...(inputs.path ? [new FrameworkError('malformedPath'), new UnknownPathError()] : []),
    ...(inputs.body ? [new FrameworkError('malformedJson')] : []),
    ...(takesBody
      ? [new BodyTooLargeError(context.bodyLimit), new UnsupportedMediaTypeError()]
      : []),
    ...credentialErrors(context.access),
    ...context.inputErrors,
    ...context.errors.map((error) => ('example' in error ? error.example() : new error())),
    ...(inputs.ifMatch ? [new StaleRevisionError()] : []),
    ...(inputs.idempotencyKey ? idempotencyKeyErrors(context.access) : []),
    new InternalServerError(),
    new DatabaseUnavailableError(method),
  ];
  const groups = Map.groupBy(errors, (error) => error.getStatus());
  return new Map([...groups].map(([status, group]) => [status, groupOf(status, group)]));
}

/** Without a user, a different request with the same idempotency key is an independent request, not a reuse. */
function idempotencyKeyErrors({ token }: Access): ApiError[] {
  const reused = token === 'none' ? [] : [new IdempotencyKeyReusedError()];
  return [new BadParameterError(MALFORMED_KEY), ...reused];
}

function credentialErrors({
  apiKey,
  token,
  roles,
  scopes,
  isUnlessProviderOnly,
}: Access): ApiError[] {
  // A key with the scope `desk` opens the other routes to whoever is signed in.
  const mayNeedToken = scopes !== NO_SCOPE && (scopes & KEY_SCOPES.desk.bit) === 0;
  return [
    ...(apiKey
      ? [new MissingApiKeyError(), new InvalidApiKeyError(), new ExpiredApiKeyError()]
      : []),
    ...(scopes === NO_SCOPE ? [] : [ApiKeyScopeError.example()]),
    ...(token === 'none'
      ? []
      : (['missing', 'invalid', 'ended'] as const).map((problem) => new AccessTokenError(problem))),
    ...(token === 'required' || token === 'session' || mayNeedToken
      ? [new AccessTokenExpiredError()]
      : []),
    ...(token === 'session' || token === 'expired-ok' ? [new SessionNeededError()] : []),
    ...(roles.length === 0 ? [] : [new InsufficientRoleError()]),
    ...(isUnlessProviderOnly ? [new ProviderOnlyError()] : []),
  ];
}

function groupOf(status: number, errors: readonly ApiError[]): ErrorGroup {
  const details = errors.map((error) => error.getResponse());
  // Two reasons may share a message, so that a caller who knows only the message learns nothing from it.
  const distinct = new Map(
    details.map((members) => [`${members.reason} ${members.message}`, members]),
  );
  const byName = Map.groupBy(distinct.values(), exampleName);
  const examples = [...byName].flatMap(([name, variants]) =>
    variants.map((members, index) => [
      // A reason can have several messages.
      index === 0 ? name : `${name}_${index + 1}`,
      { value: errorEnvelope(status, members) },
    ]),
  );
  return {
    // The examples have the messages.
    description: [...new Set(details.map(({ reason }) => reason))].join(', '),
    headers: [...new Set(details.flatMap(({ headers = {} }) => Object.keys(headers)))],
    hasFields: details.some(({ errors: fields }) => fields !== undefined),
    examples: Object.fromEntries(examples) as ErrorGroup['examples'],
  };
}

/**
 * @returns the reason; for a field or parameter that is invalid, a name such as
 *   `invalid_draft_text`
 */
function exampleName({ reason, message, errors = [] }: ErrorMembers): string {
  const [first] = errors;
  // The message of an invalid parameter begins with the parameter's name.
  const [parameter = ''] = message.split(' ');
  if (reason === 'invalid_parameter') return `invalid_${snakeCase(parameter)}`;
  return reason === 'validation_failed' && first ? `invalid_${snakeCase(first.field)}` : reason;
}

/** @returns `draft_text` for `draftText`, `idempotency_key` for `Idempotency-Key` */
function snakeCase(field: string): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('_');
}
