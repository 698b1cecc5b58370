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
  DatabaseOutOfReachError,
  DefectError,
  OtherBodyTypeError,
  StaleRevisionError,
  UnknownPathError,
  type ErrorDetails,
} from '../common/http/errors/api.errors.js';
import { REFUSALS } from '../common/http/errors/framework-errors.js';
import type { ErrorClass } from '../common/openapi/endpoint.decorator.js';

/** What an operation is about, as far as its errors depend on it. */
export interface ErrorContext {
  /** In capitals. */
  readonly method: string;
  readonly access: Access;
  /** Bytes of a body at most. */
  readonly bodyLimit: number;
  /** That the handler declares. */
  readonly errors: readonly ErrorClass[];
  /** What inputs of no type that the operation takes are answered with. */
  readonly inputErrors: readonly HttpException[];
  readonly inputs: { readonly path: boolean; readonly body: boolean; readonly ifMatch: boolean };
}

/** All errors of one status. */
export interface ErrorGroup {
  /** Their messages. */
  readonly description: string;
  /** The names of the headers that come with some of them, in small letters. */
  readonly headers: readonly string[];
  /** Whether they name the fields that do not fit. */
  readonly hasFields: boolean;
  readonly examples: Readonly<Record<string, { readonly value: Envelope }>>;
}

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);

/** The errors that an operation may answer, by status. */
export function errorsByStatus(context: ErrorContext): ReadonlyMap<number, ErrorGroup> {
  const errors = [
    ...refusals(context),
    ...credentialErrors(context.access),
    ...context.inputErrors,
    ...context.errors.map((error) => ('example' in error ? error.example() : new error())),
    ...outcomes(context),
  ];
  const groups = Map.groupBy(errors, (error) => error.getStatus());
  return new Map([...groups].map(([status, group]) => [status, groupOf(status, group)]));
}

/** Of the HTTP layer, which can refuse any request. */
function refusals({ method, inputs, bodyLimit }: ErrorContext): HttpException[] {
  const { malformedRequest, malformedPath, malformedJson, tooSlow, headersTooLarge } = REFUSALS;
  return [
    malformedRequest,
    tooSlow,
    headersTooLarge,
    ...(inputs.path ? [malformedPath] : []),
    ...(inputs.body ? [malformedJson] : []),
  ]
    .map(({ status, message }) => new HttpException({ message }, status))
    .concat(
      inputs.path ? [new UnknownPathError()] : [],
      METHODS_WITH_BODY.has(method)
        ? [new BodyTooLargeError(bodyLimit), new OtherBodyTypeError()]
        : [],
    );
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

function outcomes({ inputs, method }: ErrorContext): HttpException[] {
  const stale = inputs.ifMatch ? [new StaleRevisionError()] : [];
  return [...stale, new DefectError(), new DatabaseOutOfReachError(method)];
}

function groupOf(status: number, errors: readonly HttpException[]): ErrorGroup {
  const details = errors.map((error) => error.getResponse() as ErrorDetails);
  // By message: several errors of one class may differ in it.
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
