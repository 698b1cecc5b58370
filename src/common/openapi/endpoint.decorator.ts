import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Reflector } from '@nestjs/core';
import { RawResponse, ResponseMessage } from '../http/envelope/response-message.decorator.js';

type SchemaObject = Record<string, unknown>;

/** The errors that an endpoint may answer besides those that its access and inputs imply. */
export type DeclaredError = 400 | 401 | 404 | 412 | 422 | 429 | 503;

export interface EndpointOptions {
  readonly summary: string;
  readonly description?: string;
  /** `message` of the success envelope; `success` when left out. */
  readonly message?: string;
  /** What `data` holds; `[View]` for a list of it; left out when the answer has no `data`. */
  readonly data?: Type | readonly [Type];
  readonly errors?: readonly DeclaredError[];
  /** The answer carries the record's revision. */
  readonly revision?: boolean;
  /** The request may name the revision it expects. */
  readonly ifMatch?: boolean;
  /** The answer is conditional on `If-None-Match`. */
  readonly conditional?: boolean;
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

export function endpointOf(
  reflector: Reflector,
  handler: Parameters<Reflector['get']>[1],
): EndpointOptions | undefined {
  return reflector.get<EndpointOptions | undefined>(ENDPOINT, handler);
}

/** Says once what an endpoint answers: for the envelope, and for the OpenAPI description. */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const { summary, description, message = 'success', data, revision, ifMatch, raw } = options;
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
        ...(options.conditional
          ? { ...(ENTITY_TAG_HEADER as object), ...(CODING_HEADER as object) }
          : {}),
        ...(options.paged ? PAGE_HEADERS : {}),
      },
    }),
    ...(options.conditional
      ? [
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
    ...(ifMatch
      ? [
          ApiHeader({
            name: 'If-Match',
            required: false,
            schema: { type: 'string' },
            example: '"3"',
            description: 'The ETag that was read; 412 and no change when the record has moved on',
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
