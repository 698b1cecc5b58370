import { createRequire } from 'node:module';
import type { INestApplication } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { accessOf } from '../common/access/access.decorator.js';
import { handlersOf } from '../common/access/controller-handlers.js';
import { bodyLimitOf, endpointOf } from '../common/openapi/endpoint.decorator.js';
import { closeSchemas, COMPONENTS, TAGS } from './components.js';
import { inputErrors } from './input-errors.js';
import { completeOperation, type Operation, type OperationRules } from './operation.js';

const DESCRIPTION = `A headless blog with editorial review. Authors draft and submit, editors
publish, holders of an API key read.

- Every response is an envelope \`{code, status, message, data?}\`; success is HTTP 200.
- HEAD works wherever GET does, with the same headers and no body.
- A trailing slash makes no difference. An unknown path is 404, a known path with another method
  405 with \`Allow\` (components: \`UnknownPath\`, \`MethodNotAllowed\`).
- Preflights (OPTIONS) of the allowed origins are answered with 204 and need no key.
- Send \`x-request-id\` (1 to 64 letters, digits, \`.\`, \`_\`, \`-\`) to find a request in the log again.
- Fields of a body that are not declared are ignored. A body has at most 1,000 members and elements,
  32 levels, and 16 KiB; 1 MiB where it carries the text of an article.
- Key, token, role, and the type and the length of a body are checked before the body is read. With
  \`Expect: 100-continue\` a client learns the refusal without sending it.`;

/** The path is the same from `src/docs` and from `dist/docs`. */
const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

type HandlerRules = Omit<OperationRules, 'method' | 'schemas'>;

/**
 * Makes the OpenAPI 3.1 description from the code. @nestjs/swagger makes the paths, bodies and views
 * from the decorators; `completeOperation` adds security, errors and headers to each operation.
 *
 * @throws Error for a handler without `@Endpoint`
 */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const rules = rulesByHandler(app);
  const document = SwaggerModule.createDocument(app, baseDocument(), {
    operationIdFactory: handlerId,
  });
  const schemas = closeSchemas(document.components?.schemas ?? {});
  const seen = new Map<string, number>();
  for (const [method, operation] of operationsOf(document)) {
    // For a handler with several paths, @nestjs/swagger appends `[0]`, `[1]` … to its id.
    const id = operation.operationId.replace(/\[\d+\]$/, '');
    const handler = rules.get(id);
    if (!handler) throw new Error(`${id} lacks @Endpoint`);
    completeOperation(operation, { method: method.toUpperCase(), schemas, ...handler });
    // Operation ids must be unique.
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    operation.operationId = count === 1 ? id : `${id}_${count}`;
  }
  document.components = { ...COMPONENTS, schemas: { ...schemas, ...COMPONENTS.schemas } } as never;
  return document;
}

function baseDocument(): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Pressroom')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addServer('/');
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const { info, ...rest } = builder.build();
  // The builder adds an empty contact.
  const { contact: _, ...stated } = info;
  return { ...rest, info: stated };
}

function operationsOf({ paths }: OpenAPIObject): (readonly [string, Operation])[] {
  return Object.values(paths).flatMap((item) =>
    Object.entries(item).map(([method, operation]) => [method, operation as Operation] as const),
  );
}

function handlerId(controller: string, method: string): string {
  return `${controller.replace(/Controller$/, '')}_${method}`;
}

function rulesByHandler(app: INestApplication): Map<string, HandlerRules> {
  const reflector = app.get(Reflector);
  const rules = new Map<string, HandlerRules>();
  for (const { controller, name, handler } of handlersOf(app)) {
    const endpoint = endpointOf(reflector, handler);
    if (!endpoint) continue;
    const context = { getHandler: () => handler, getClass: () => controller };
    rules.set(handlerId(controller.name, name), {
      access: accessOf(reflector, context),
      bodyLimit: bodyLimitOf(reflector, handler),
      errors: endpoint.errors ?? [],
      noIndex: endpoint.noIndex ?? false,
      inputErrors: inputErrors(controller, name),
    });
  }
  return rules;
}
