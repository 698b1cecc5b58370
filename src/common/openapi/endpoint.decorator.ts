import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Reflector } from '@nestjs/core';
import { Cached, type CachedRoute } from '../http/cached.decorator.js';
import { RawResponse, ResponseMessage } from '../http/envelope/response-message.decorator.js';
import { DEFAULT_BODY_LIMIT } from '../http/input/body-limit.js';
import type { ErrorClass } from './error-class.js';

type SchemaObject = Record<string, unknown>;

/** What an endpoint answers and how. Who may call it is said by the decorators of access. */
export interface EndpointOptions {
  readonly summary: string;
  readonly description?: string;
  /** `message` of the success envelope; `success` when left out. */
  readonly message?: string;
  /** What `data` holds; `[View]` for a list of it; left out when the answer has no `data`. */
  readonly data?: Type | readonly [Type];
  /** The errors that it may answer besides those that its access and inputs imply. */
  readonly errors?: readonly ErrorClass[];
  /** Bytes of a body at most; 16 KiB when left out. */
  readonly bodyLimit?: number;
  /** The handler returns a `Revisioned` view; the answer carries its revision as the ETag. */
  readonly revision?: boolean;
  /** The answer may come from the cache, and is conditional on `If-None-Match`. */
  readonly cache?: CachedRoute;
  /** The answer names the next page, and the total when asked. */
  readonly paged?: boolean;
  /** The answer is this schema without an envelope (operators' routes). */
  readonly raw?: SchemaObject;
}

// @nestjs/swagger's type knows no references here; the description resolves them (src/docs).
const REVISION_HEADER = { etag: { $ref: '#/components/headers/Revision' } } as never;
const ENTITY_TAG_HEADER = { etag: { $ref: '#/components/headers/EntityTag' } } as never;

const CODING_HEADER = {
  'content-encoding': { $ref: '#/components/headers/ContentEncoding' },
} as never;
const PAGE_HEADERS = {
  link: { $ref: '#/components/headers/NextPage' },
  'x-total-count': { $ref: '#/components/headers/TotalCount' },
} as never;

const ENDPOINT = Symbol('endpoint');

type Handler = Parameters<Reflector['get']>[1];

export function endpointOf(reflector: Reflector, handler: Handler): EndpointOptions | undefined {
  return reflector.get<EndpointOptions | undefined>(ENDPOINT, handler);
}

/** Bytes that a body may have at most where this handler answers. */
export function bodyLimitOf(reflector: Reflector, handler: Handler): number {
  return endpointOf(reflector, handler)?.bodyLimit ?? DEFAULT_BODY_LIMIT;
}

/** Says once what an endpoint answers: installs what that needs, and describes it in OpenAPI. */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const { summary, description, message = 'success', data, revision, cache, raw } = options;
  const view: Type | undefined = Array.isArray(data) ? (data[0] as Type) : (data as Type);
  return applyDecorators(
    SetMetadata(ENDPOINT, options),
    ...(raw ? [RawResponse()] : [ResponseMessage(message)]),
    ApiOperation({ summary, ...(description === undefined ? {} : { description }) }),
    ...(view ? [ApiExtraModels(view)] : []),
    ApiResponse({
      status: 200,
      description: message,
      schema: raw ?? envelopeSchema(message, dataSchema(data)),
      headers: {
        ...(revision ? REVISION_HEADER : {}),
        ...(cache ? { ...(ENTITY_TAG_HEADER as object), ...(CODING_HEADER as object) } : {}),
        ...(options.paged ? PAGE_HEADERS : {}),
      },
    }),
    ...(cache
      ? [
          Cached(cache),
          ApiHeader({
            name: 'If-None-Match',
            required: false,
            schema: { type: 'string' },
            example: '"Tm90ZXMgb24gdGhlIEVuZ2luZQ"',
            description: 'Entity tags, or *; 304 without a body when one matches',
          }),
          ApiResponse({
            status: 304,
            description: 'not modified; no body',
            headers: ENTITY_TAG_HEADER,
          }),
        ]
      : []),
  );
}

function dataSchema(data: EndpointOptions['data']): SchemaObject | undefined {
  if (data === undefined) return undefined;
  if (Array.isArray(data)) {
    return { type: 'array', items: { $ref: getSchemaPath(data[0] as Type) } };
  }
  return { $ref: getSchemaPath(data as Type) };
}

function envelopeSchema(message: string, data: SchemaObject | undefined): SchemaObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['code', 'status', 'message', ...(data ? ['data'] : [])],
    properties: {
      code: { type: 'string', enum: ['10000'] },
      status: { type: 'integer', enum: [200] },
      message: { type: 'string', enum: [message] },
      ...(data ? { data } : {}),
    },
  };
}
