import type { paths } from './api-types.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

type None = Record<never, never>;

/** The operations of a method, by path. */
type Operations<M extends Method> = {
  [
    P in keyof paths as paths[P] extends Record<Lowercase<M>, object> ? P : never
  ]: paths[P] extends Record<Lowercase<M>, infer Operation> ? Operation : never;
};

/** The paths that have a method, as the description of the API writes them: `/blog/id/{id}`. */
export type PathOf<M extends Method> = keyof Operations<M> & string;

type Operation<M extends Method, P extends PathOf<M>> = Operations<M>[P];

type Parameters<O> = O extends { parameters: infer All } ? All : None;

/** The parameters of an operation that are sent in the path, in the query or in headers. */
type ParametersIn<O, Place extends 'path' | 'query' | 'header'> =
  Parameters<O> extends { [_ in Place]?: infer Input }
    ? [Input] extends [undefined]
      ? None
      : NonNullable<Input>
    : None;

/**
 * The option `path` or `query` of a call. It is required if one of its parameters is required, and
 * refused if the operation has no such parameters.
 */
type Inputs<O, Place extends 'path' | 'query'> =
  Parameters<O> extends Record<Place, object>
    ? { readonly [_ in Place]: Readonly<ParametersIn<O, Place>> }
    : [keyof ParametersIn<O, Place>] extends [never]
      ? None
      : { readonly [_ in Place]?: Readonly<ParametersIn<O, Place>> };

/** The input with read-only arrays and objects, because the client does not change it. */
type Given<Input> = Input extends readonly (infer Element)[]
  ? readonly Given<Element>[]
  : Input extends object
    ? { readonly [Key in keyof Input]: Given<Input[Key]> }
    : Input;

type Body<O> = O extends { requestBody: { content: { 'application/json': infer Input } } }
  ? { readonly body: Given<Input> }
  : O extends { requestBody?: { content: { 'application/json': infer Input } } }
    ? { readonly body?: Given<Input> }
    : O extends { requestBody: { content: { 'multipart/form-data': unknown } } }
      ? /** A form with the fields that the description names; a file is a `Blob`. */
        { readonly body: FormData }
      : None;

/**
 * The option `ifMatch` of a write: the `etag` of the record when it was read. The server refuses the
 * write if the record has changed since.
 */
type IfMatch<O> =
  ParametersIn<O, 'header'> extends { 'If-Match': string }
    ? { readonly ifMatch: string }
    : 'If-Match' extends keyof ParametersIn<O, 'header'>
      ? { readonly ifMatch?: string | undefined }
      : None;

/** The paths whose POST creates one record per `Idempotency-Key`. */
export type KeyedPath = {
  [P in PathOf<'POST'>]: 'Idempotency-Key' extends keyof ParametersIn<
    Operation<'POST', P>,
    'header'
  >
    ? P
    : never;
}[PathOf<'POST'>];

/** Options of one call. */
export interface CallOptions {
  /** Aborts the request, and the wait between its attempts. */
  readonly signal?: AbortSignal | undefined;
  /** Headers to send in addition to those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The `Idempotency-Key` of a POST that creates a record. To repeat a POST of an earlier run of the
   * program, give the key of that POST. By default, every call gets a new key.
   */
  readonly idempotencyKey?: string;
}

export type Options<M extends Method, P extends PathOf<M>> = Inputs<Operation<M, P>, 'path'> &
  Inputs<Operation<M, P>, 'query'> &
  Body<Operation<M, P>> &
  IfMatch<Operation<M, P>> &
  CallOptions;

/** The last parameter of a call: optional unless the operation requires an input. */
export type OptionsArgument<M extends Method, P extends PathOf<M>> =
  None extends Options<M, P> ? [options?: Options<M, P>] : [options: Options<M, P>];

type Success<O> = O extends { responses: { 200: { content: infer Content } } } ? Content : never;

/**
 * `data` of the envelope, or `undefined` if the envelope has none. JSON without an envelope is the
 * data itself; an answer that is not JSON is text.
 */
type DataIn<Content> = Content extends { 'application/json': infer Envelope }
  ? Envelope extends { data: infer Data }
    ? Data
    : Envelope extends { code: string }
      ? undefined
      : Envelope
  : string;

/** The data that an operation answers with. */
export type Data<M extends Method, P extends PathOf<M>> = DataIn<Success<Operation<M, P>>>;

type ListWith<Parameter extends string> = {
  [P in PathOf<'GET'>]: Data<'GET', P> extends readonly unknown[]
    ? Parameter extends keyof ParametersIn<Operation<'GET', P>, 'query'>
      ? P
      : never
    : never;
}[PathOf<'GET'>];

/** Lists whose `Link` header leads to the next page. */
export type LinkedList = ListWith<'cursor'>;

/** All lists that have pages. */
export type ListPath = LinkedList | ListWith<'page'>;

/** One element of a list. */
export type Item<P extends ListPath> = Data<'GET', P> extends readonly (infer One)[] ? One : never;

type Refusal =
  Operation<'GET', '/health'> extends {
    responses: { default: { content: { 'application/json': infer Envelope } } };
  }
    ? Envelope
    : never;

/** The reason for which the server has refused a request, in a word for programs. */
export type Reason = Refusal extends { reason: infer Known } ? Known : string;

/** A field that is invalid, or that was not stored as it was sent. */
export interface FieldProblem {
  /** A path such as `tags.0`. */
  readonly field: string;
  readonly message: string;
}

export interface Answer<Data> {
  readonly status: number;
  readonly data: Data;
  /** The fields that were not stored as they were sent; usually empty. */
  readonly warnings: readonly FieldProblem[];
  /** The revision of an article, for `ifMatch` of the next write. */
  readonly etag: string | undefined;
  readonly headers: Headers;
}

/** What `PublicKeyCredential.parseRequestOptionsFromJSON` takes. */
export type PasskeyOptions = Data<'POST', '/auth/passkeys/options'>['options'] & {
  readonly challenge: string;
};
