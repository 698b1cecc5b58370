import { RouteConfig } from '@nestjs/platform-fastify';
import { applyDecorators, Header, Redirect, SetMetadata, type Type } from '@nestjs/common';
import {
  ApiConsumes,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  type ApiResponseOptions,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Reflector } from '@nestjs/core';
import type { ApiError } from '../errors/api.errors.js';
import { Cached, type CachedRoute } from '../cached.decorator.js';
import { DEFAULT_BODY_LIMIT } from '../input/body-limit.js';
import { UPLOAD_TYPE } from '../input/uploads/upload.js';
import { envelopeName, viewOf, type SchemaObject } from './envelope-schema.js';

/**
 * Names of the OpenAPI components of the response headers that are sent with `PUBLIC_CACHE` and
 * `PUBLIC_CACHE_STALE`, by header.
 */
const CDN_HEADERS = { 'cache-tag': 'CacheTag', 'cdn-cache-control': 'CdnCacheControl' };

/**
 * The class of an error that an endpoint may return. A class whose constructor takes arguments has a static
 * `example`.
 */
export type ErrorClass = { readonly name: string } & (
  (new () => ApiError) | { readonly example: () => ApiError }
);

/** Name, input and answers of an endpoint. The decorators in src/platform/http/access say who may call it. */
export interface EndpointOptions {
  /**
   * The name of the operation in OpenAPI, which becomes a method of generated clients, such as `publishBlog`.
   * If the handler also has a path of an older server, the operation there gets another name.
   */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** `message` of the success envelope; `success` when left out. */
  readonly message?: string;
  /** The type of `data`; `[View]` for a list; left out when the answer has no `data`. */
  readonly data?: Type | readonly [Type];
  /** Errors of the endpoint, in addition to those that follow from its access rules and inputs. */
  readonly errors?: readonly ErrorClass[];
  /** Maximum size of the request body in bytes; 16 KiB when left out. */
  readonly bodyLimit?: number;
  /** Whether the body is a form with a file; the setting MEDIA_MAX_MB then limits it. */
  readonly isUpload?: boolean;
  /** Milliseconds that the server may work on a request; the common deadline if left out. */
  readonly deadlineMs?: number;
  /** Whether the handler returns a `Revisioned` view, whose revision becomes the ETag. */
  readonly revision?: boolean;
  /** Rules by which the response cache answers the endpoint, which then honours `If-None-Match`. */
  readonly cache?: CachedRoute;
  /** Whether search engines are told to keep the answer out of their index. */
  readonly noIndex?: boolean;
  /** Whether the answer has a `Link` to the next page, and `x-total-count` on request. */
  readonly paged?: boolean;
  /** Names of the OpenAPI components of further headers of the answer, by header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the answer is a redirect, as `message` says. It has no body, and the next page does not learn this address. */
  readonly isRedirect?: boolean;
  /** Whether the path is that of an older server, which new clients should not use. */
  readonly deprecated?: boolean;
  /** The type of an answer without an envelope, for routes that operators use. */
  readonly raw?: Type;
  /** The document of a handler that returns a `TextDocument`, without an envelope. */
  readonly document?: DocumentOptions;
}

interface DocumentOptions {
  /** The media type, without its charset. */
  readonly type: string;
  /** The schema of the whole document, with an example. */
  readonly schema: SchemaObject;
}

const ENDPOINT = Symbol('endpoint');

const DEFAULT_MESSAGE = 'success';

type ApiResponseHeaders = ApiResponseOptions['headers'];

type Handler = Parameters<Reflector['get']>[1];

export function endpointOf(reflector: Reflector, handler: Handler): EndpointOptions | undefined {
  return reflector.get<EndpointOptions | undefined>(ENDPOINT, handler);
}

/** @returns the maximum size of the request body in bytes */
export function bodyLimitOf(reflector: Reflector, handler: Handler): number {
  return endpointOf(reflector, handler)?.bodyLimit ?? DEFAULT_BODY_LIMIT;
}

/** @returns the envelope's message on success; undefined for an answer without an envelope */
export function messageOf(reflector: Reflector, handler: Handler): string | undefined {
  const { raw, document, message = DEFAULT_MESSAGE } = endpointOf(reflector, handler) ?? {};
  return raw || document ? undefined : message;
}

/**
 * Declares an endpoint: stores the options as metadata, adds the route config and the headers that they need,
 * and describes the endpoint in OpenAPI.
 */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const { summary, description, deprecated = false, message = DEFAULT_MESSAGE } = options;
  const {
    revision,
    cache,
    noIndex,
    paged,
    raw,
    isRedirect = false,
    isUpload,
    deadlineMs,
  } = options;
  const [view] = viewOf(options);
  const types = [raw, view].filter((type) => type !== undefined);
  return applyDecorators(
    SetMetadata(ENDPOINT, options),
    ApiOperation({
      summary,
      ...(description === undefined ? {} : { description }),
      ...(deprecated ? { deprecated } : {}),
    }),
    ApiExtraModels(...types),
    ApiResponse({
      description: message,
      ...(isRedirect ? { status: 303 } : { status: 200, ...contentOf(options) }),
      headers: headers({
        ...(revision ? { etag: 'Revision' } : {}),
        ...(cache
          ? { ...CDN_HEADERS, etag: 'EntityTag', 'content-encoding': 'ContentEncoding' }
          : {}),
        ...(paged ? { link: 'NextPage', 'x-total-count': 'TotalCount' } : {}),
        ...options.headers,
      }),
    }),
    ...(cache ? [Cached(cache), IF_NONE_MATCH, NOT_MODIFIED] : []),
    ...(isUpload ? [ApiConsumes(UPLOAD_TYPE)] : []),
    ...(isUpload || deadlineMs !== undefined ? [RouteConfig({ isUpload, deadlineMs })] : []),
    ...(noIndex ? [Header('x-robots-tag', 'noindex')] : []),
    ...(isRedirect ? [Redirect(), Header('referrer-policy', 'no-referrer')] : []),
  );
}

/** @param components names of the headers' components in the OpenAPI document, by header */
function headers(components: Readonly<Record<string, string>>): NonNullable<ApiResponseHeaders> {
  const references = Object.entries(components).map(([header, component]) => [
    header,
    { $ref: `#/components/headers/${component}` },
  ]);
  // The type of @nestjs/swagger lacks `$ref`. src/openapi adds the components.
  return Object.fromEntries(references) as NonNullable<ApiResponseHeaders>;
}

const IF_NONE_MATCH = ApiHeader({
  name: 'If-None-Match',
  required: false,
  schema: { type: 'string' },
  example: '"Tm90ZXMgb24gdGhlIEVuZ2luZQ"',
  description: 'Entity tags, or *; 304 without a body when one matches',
});

const NOT_MODIFIED = ApiResponse({
  status: 304,
  description: 'not modified; no body',
  headers: headers({ ...CDN_HEADERS, etag: 'EntityTag' }),
});

function contentOf(options: EndpointOptions): Partial<ApiResponseOptions> {
  const { raw, document } = options;
  return document
    ? { content: documentContent(document) }
    : { schema: { $ref: getSchemaPath(raw ?? envelopeName(options)) } };
}

function documentContent({
  type,
  schema,
}: DocumentOptions): NonNullable<ApiResponseOptions['content']> {
  return { [type]: { schema } };
}
