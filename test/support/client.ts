import type { Contract } from './checks/contract.js';
import { typedBody } from './media/forms.js';

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A response of the API. Each test chooses the type of `data`. */
export interface Answer<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: {
    readonly code: string;
    readonly status: number;
    readonly message: string;
    /** Present in every error. */
    readonly reason?: string;
    readonly data: Data;
    readonly errors?: readonly FieldError[];
    readonly warnings?: readonly FieldError[];
  };
}

export interface RequestOptions {
  /** JSON body; left out when undefined. */
  readonly body?: unknown;
  /** Sent as it is instead of `body`; a form with the content type that belongs to it. */
  readonly rawBody?: string | Uint8Array | FormData;
  /** Added to the client's headers; null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

// The contract check has validated the response before a test reads it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyData = any;

/** Calls a server with fixed headers, and checks every response against the OpenAPI description. */
export class Client {
  constructor(
    readonly url: string,
    private readonly contract: Contract,
    /** The headers of every request, such as the API key and an access token. */
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** A client with further or other headers for the same server; null removes a header. */
  with(headers: Readonly<Record<string, string | null>>): Client {
    return new Client(this.url, this.contract, merge(this.headers, headers));
  }

  /** A client with the same headers for another server. */
  at(url: string): Client {
    return new Client(url, this.contract, this.headers);
  }

  /** A client of the same server with this access token, or none. */
  as(accessToken: string | null): Client {
    return this.with({ authorization: accessToken === null ? null : `Bearer ${accessToken}` });
  }

  async request<Data = AnyData>(
    method: string,
    path: string,
    { body, rawBody, headers = {} }: RequestOptions = {},
  ): Promise<Answer<Data>> {
    const written = body === undefined ? undefined : typedBody(method, path, body);
    const sent = rawBody ?? (written && new Uint8Array(Buffer.from(written.bytes)));
    const defaultType = rawBody instanceof FormData ? undefined : 'application/json';
    const contentType = rawBody === undefined ? written?.type : defaultType;
    const type = contentType === undefined ? {} : { 'content-type': contentType };
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: merge({ ...type, ...this.headers }, headers),
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const received = response.headers.get('content-type') ?? '';
    const isJson = /^application\/(?:[\w.]+\+)?json/.test(received);
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
    const { status } = response;
    this.contract.check({ method, path, status, headers: response.headers, body: parsed });
    return { status, headers: response.headers, text, body: parsed as Answer<Data>['body'] };
  }

  get<Data = AnyData>(path: string, options?: RequestOptions): Promise<Answer<Data>> {
    return this.request<Data>('GET', path, options);
  }

  post<Data = AnyData>(
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): Promise<Answer<Data>> {
    return this.request<Data>('POST', path, { body, ...options });
  }

  put<Data = AnyData>(
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): Promise<Answer<Data>> {
    return this.request<Data>('PUT', path, { body, ...options });
  }

  delete<Data = AnyData>(path: string, options?: RequestOptions): Promise<Answer<Data>> {
    return this.request<Data>('DELETE', path, options);
  }
}

function merge(
  base: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const merged = Object.entries({ ...base, ...changes });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== null));
}
