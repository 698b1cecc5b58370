import { HttpException } from '@nestjs/common';
import { InvalidApiKeyError, MissingApiKeyError } from '../apikey/api-key.errors.js';
import {
  AccessTokenError,
  AccessTokenExpiredError,
  InsufficientRoleError,
} from '../auth/auth.errors.js';
import type { Access } from '../common/access/access.decorator.js';
import { errorEnvelope, type Envelope } from '../common/http/envelope/envelope.js';
import {
  BodyTooLargeError,
  DatabaseUnavailableError,
  InternalServerError,
  UnsupportedMediaTypeError,
  StaleRevisionError,
  UnknownPathError,
  type ErrorDetails,
} from '../common/http/errors/api.errors.js';
import { FRAMEWORK_ERRORS } from '../common/http/errors/framework-errors.js';
import type { ErrorClass } from '../common/openapi/endpoint.decorator.js';

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
  readonly inputErrors: readonly HttpException[];
  readonly inputs: { readonly path: boolean; readonly body: boolean; readonly ifMatch: boolean };
}

/** All errors of an operation that have the same status. */
export interface ErrorGroup {
  /** Their messages. */
  readonly description: string;
  /** The names of the response headers that some of them set, in lower case. */
  readonly headers: readonly string[];
  /** Whether some of them list the invalid fields. */
  readonly hasFields: boolean;
  readonly examples: Readonly<Record<string, { readonly value: Envelope }>>;
}

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);

/** The errors that an operation may answer, by status. */
export function errorsByStatus(context: ErrorContext): ReadonlyMap<number, ErrorGroup> {
  const { method, inputs } = context;
  const takesBody = METHODS_WITH_BODY.has(method);
  const errors: HttpException[] = [
    frameworkError('malformedRequest'),
    frameworkError('tooSlow'),
    frameworkError('headersTooLarge'),
    ...(inputs.path ? [frameworkError('malformedPath'), new UnknownPathError()] : []),
    ...(inputs.body ? [frameworkError('malformedJson')] : []),
    ...(takesBody
      ? [new BodyTooLargeError(context.bodyLimit), new UnsupportedMediaTypeError()]
      : []),
    ...credentialErrors(context.access),
    ...context.inputErrors,
    ...context.errors.map((error) => ('example' in error ? error.example() : new error())),
    ...(inputs.ifMatch ? [new StaleRevisionError()] : []),
    new InternalServerError(),
    new DatabaseUnavailableError(method),
  ];
  const groups = Map.groupBy(errors, (error) => error.getStatus());
  return new Map([...groups].map(([status, group]) => [status, groupOf(status, group)]));
}

/** An error that is answered before the handler, and has no class. */
function frameworkError(name: keyof typeof FRAMEWORK_ERRORS): HttpException {
  const { status, message } = FRAMEWORK_ERRORS[name];
  return new HttpException({ message }, status);
}

function credentialErrors({ apiKey, token, role }: Access): HttpException[] {
  return [
    ...(apiKey ? [new MissingApiKeyError(), new InvalidApiKeyError()] : []),
    ...(token === 'none'
      ? []
      : (['missing', 'invalid', 'ended'] as const).map((problem) => new AccessTokenError(problem))),
    ...(token === 'required' ? [new AccessTokenExpiredError()] : []),
    ...(role === null ? [] : [new InsufficientRoleError()]),
  ];
}

function groupOf(status: number, errors: readonly HttpException[]): ErrorGroup {
  const details = errors.map((error) => error.getResponse() as ErrorDetails);
  // Named by message, because an error class can have several messages.
  const examples = details.map(({ message, code, errors: fields }) => [
    message,
    { value: errorEnvelope(status, message, code, fields) },
  ]);
  return {
    description: [...new Set(details.map(({ message }) => message))].join('; '),
    headers: [...new Set(details.flatMap(({ headers = {} }) => Object.keys(headers)))],
    hasFields: details.some(({ errors: fields }) => fields !== undefined),
    examples: Object.fromEntries(examples) as ErrorGroup['examples'],
  };
}
