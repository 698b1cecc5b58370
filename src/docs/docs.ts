import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { createOpenApiDocument } from './openapi.js';

const ASSETS = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files of swagger-ui-dist that the page needs. Other files of the package are not served. */
const SERVED_ASSETS = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
] as const;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pressroom API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png" sizes="32x32">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** `validatorUrl: null` removes a badge that is loaded from another host. */
const START_SCRIPT = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: true,
  validatorUrl: null,
  tryItOutEnabled: true,
});
`;

/**
 * Serves the OpenAPI description at `/openapi.json` and Swagger UI at `/docs`, which loads nothing from
 * other hosts. A Fastify scope of its own limits helmet's headers to these routes.
 */
export async function registerDocs(app: INestApplication, fastify: FastifyInstance): Promise<void> {
  let description: string | undefined;
  await fastify.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: {
        directives: {
          'base-uri': ["'none'"],
          'frame-ancestors': ["'none'"],
          // Swagger UI draws with inline styles and data images.
          'style-src': ["'self'", "'unsafe-inline'"],
          'img-src': ["'self'", 'data:'],
          // Without TLS, as on a developer's machine, upgraded requests would fail.
          'upgrade-insecure-requests': null,
        },
      },
      hsts: false,
    });
    await scope.register(fastifyStatic, { root: ASSETS, serve: false });
    scope.get('/openapi.json', (_request, reply) => {
      description ??= JSON.stringify(createOpenApiDocument(app));
      return reply.type('application/json; charset=utf-8').send(description);
    });
    scope.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
    scope.get('/docs/start.js', (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(START_SCRIPT),
    );
    for (const asset of SERVED_ASSETS) {
      scope.get(`/docs/${asset}`, (_request, reply) => reply.sendFile(asset));
    }
  });
}
