import { createRequire } from 'node:module';
import type { INestApplication } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { accessOf } from '../platform/http/access/access.decorator.js';
import { controllerMethodsOf } from '../platform/http/access/controller-methods.js';
import { Env } from '../platform/config/env.js';
import { bodyLimitOf, endpointOf, messageOf } from '../platform/http/openapi/endpoint.decorator.js';
import { envelopeName, envelopeSchema } from '../platform/http/openapi/envelope-schema.js';
import { completeSchemas, COMPONENTS, TAGS } from './components.js';
import { inputErrors } from './input-errors.js';
import type { Schema } from './example.js';
import { completeOperation, type Operation, type OperationRules } from './operation.js';
import { shareParts } from './shared-parts.js';

const DESCRIPTION = `A headless blog with editorial review. Authors draft and submit, editors
publish, holders of an API key read.

- Every response is an envelope \`{code, status, message, data?}\`; success is HTTP 200. An error has a
  \`reason\` for programs instead of \`data\`.
- HEAD works wherever GET does, with the same headers and no body.
- A trailing slash makes no difference. An unknown path gets 404, a known path with another method
  405 and \`Allow\`; both responses have an \`ErrorEnvelope\`.
- Preflights (OPTIONS) of the allowed origins are answered with 204 and need no key.
- Send \`x-request-id\` (1 to 64 letters, digits, \`.\`, \`_\`, \`-\`) to find a request in the log again.
- Fields of a body that are not declared are ignored. A body has at most 1,000 members and elements,
  32 levels, and 16 KiB; 1 MiB where it carries the text of an article.
- Key, token, role, and the type and the length of a body are checked before the body is read. With
  \`Expect: 100-continue\`, a client gets the refusal without sending the body.`;

/** The path is the same from `src/openapi` and from `dist/openapi`. */
const { version, license } = createRequire(import.meta.url)('../../package.json') as {
  readonly version: string;
  readonly license: string;
};

const CONTACT = { name: 'The operators of this server, by POST /contact' };

type HandlerRules = Omit<OperationRules, 'method' | 'path' | 'schemas'>;

/**
 * Makes the OpenAPI 3.1 description from the code. @nestjs/swagger makes the paths, bodies and views
 * from the decorators; `completeOperation` adds security, errors and headers to each operation.
 *
 * @throws Error for a handler without `@Endpoint`
 */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const handlers = readHandlers(app);
  const envelopes = Object.fromEntries(
    [...handlers.values()].flatMap(({ envelope }) => (envelope ? [envelope] : [])),
  );
  const { PUBLIC_URL } = app.get(Env);
  const document = SwaggerModule.createDocument(app, baseDocument(PUBLIC_URL), {
    operationIdFactory: handlerKey,
  });
  const generated = completeSchemas(document.components?.schemas ?? {});
  const schemas = { ...generated, ...envelopes, ...COMPONENTS.schemas };
  const seen = new Set<string>();
  const operations = operationsOf(document);
  for (const [method, path, operation] of operations) {
    // For a handler with several paths, @nestjs/swagger appends `[0]`, `[1]` … to its id.
    const handler = handlers.get(operation.operationId.replace(/\[\d+\]$/, ''));
    if (!handler) throw new Error(`${operation.operationId} lacks @Endpoint`);
    const { id, rules } = handler;
    completeOperation(operation, { method: method.toUpperCase(), path, schemas, ...rules });
    // The first path of a handler is the present path; the others are old paths.
    operation.operationId = seen.has(id) ? `${id}AtOldPath` : id;
    if (seen.has(id)) operation.deprecated = true;
    seen.add(id);
  }
  const shared = shareParts(operations.map(([, , operation]) => operation));
  document.components = { ...COMPONENTS, ...shared, schemas } as never;
  return document;
}

function baseDocument(serverUrl = '/'): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Pressroom')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setLicense(license, `https://spdx.org/licenses/${license}.html`)
    .addServer(serverUrl);
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const { info, ...rest } = builder.build();
  // The contact of the builder has empty members, so it is replaced.
  return { ...rest, info: { ...info, contact: CONTACT } };
}

function operationsOf({
  paths,
}: OpenAPIObject): (readonly [method: string, path: string, Operation])[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [method, path, operation as Operation] as const,
    ),
  );
}

function handlerKey(controller: string, method: string): string {
  return `${controller.replace(/Controller$/, '')}_${method}`;
}

interface DescribedHandler {
  /** The id of the operation. */
  readonly id: string;
  readonly rules: HandlerRules;
  /** The component that describes the answer's envelope; null for an answer without one. */
  readonly envelope: readonly [name: string, schema: Schema] | null;
}

function readHandlers(app: INestApplication): ReadonlyMap<string, DescribedHandler> {
  const reflector = app.get(Reflector);
  const handlers = new Map<string, DescribedHandler>();
  for (const { controller, name, method: handler } of controllerMethodsOf(app)) {
    const endpoint = endpointOf(reflector, handler);
    if (!endpoint) continue;
    const context = { getHandler: () => handler, getClass: () => controller };
    const message = messageOf(reflector, handler);
    handlers.set(handlerKey(controller.name, name), {
      id: endpoint.id,
      rules: {
        access: accessOf(reflector, context),
        bodyLimit: bodyLimitOf(reflector, handler),
        errors: endpoint.errors ?? [],
        noIndex: endpoint.noIndex ?? false,
        inputErrors: inputErrors(controller, name),
      },
      envelope: message === undefined ? null : [envelopeName(endpoint), envelopeSchema(endpoint)],
    });
  }
  return handlers;
}
