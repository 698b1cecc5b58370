import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Env } from '../platform/config/env.js';
import { createOpenApiDocument } from '../openapi/openapi.js';
import { isFromThisMachine } from './local-request.js';
import { pagesOf } from '../platform/config/pages-of.js';
import { registerPageErrors } from './page-errors.js';
import { accountFacts, localSecrets, serverFacts } from './server-facts.js';
import { hasStartLink, openStartLink } from '../cli/setup/start-link.js';

const OWN_FILES = fileURLToPath(new URL('assets', import.meta.url));
const ACCOUNT_FOLDER = fileURLToPath(new URL('assets/account', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files that the two HTML pages load, by path. No other file of these folders is served to them. */
const SHARED_FILES = {
  '/assets/page.css': OWN_FILES,
  '/assets/theme.js': OWN_FILES,
  '/assets/session.js': OWN_FILES,
  '/assets/favicon-32x32.png': SWAGGER_UI,
};
const START_FILES = { '/assets/start.css': OWN_FILES, '/assets/start.js': OWN_FILES };
const ACCOUNT_FILES = {
  '/assets/account.css': ACCOUNT_FOLDER,
  '/assets/account.js': ACCOUNT_FOLDER,
  '/assets/account-words.js': ACCOUNT_FOLDER,
};
const DOCS_FILES = {
  '/docs/docs.css': OWN_FILES,
  '/docs/docs.js': OWN_FILES,
  '/docs/readable.js': OWN_FILES,
  '/docs/swagger-ui.css': SWAGGER_UI,
  '/docs/swagger-ui-bundle.js': SWAGGER_UI,
};

/**
 * Serves the pages for people: with DOCS=on Swagger UI at `/docs` and the OpenAPI description at
 * `/openapi.json`, outside production a start page at `/`, and where mail is sent the page `/account`, to which the
 * links of mails lead. The pages load nothing from other hosts.
 * They are registered in a separate Fastify scope, so that helmet sets its headers on these routes only.
 */
export async function registerPages(
  app: INestApplication,
  fastify: FastifyInstance,
  env: Env,
): Promise<void> {
  const { docs, start, account } = pagesOf(env);
  await fastify.register(async (scope) => {
    registerPageErrors(scope);
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
    await scope.register(fastifyStatic, { root: OWN_FILES, serve: false });
    const serve = (path: string, folder: string, file: string): void => {
      scope.get(path, (_request, reply) => reply.sendFile(file, folder));
    };
    const files = {
      ...SHARED_FILES,
      ...(start ? START_FILES : {}),
      ...(docs ? DOCS_FILES : {}),
      ...(account ? ACCOUNT_FILES : {}),
    };
    for (const [path, folder] of Object.entries(files)) {
      serve(path, folder, path.slice(path.lastIndexOf('/') + 1));
    }
    if (start) serve('/', OWN_FILES, 'start.html');
    if (account) {
      serve('/account', ACCOUNT_FOLDER, 'account.html');
      scope.get('/assets/account.json', () => accountFacts(app));
    }
    if (docs) {
      serve('/docs', OWN_FILES, 'docs.html');
      let description: string | undefined;
      scope.get('/openapi.json', (_request, reply) => {
        description ??= JSON.stringify(createOpenApiDocument(app));
        return reply.type('application/json; charset=utf-8').send(description);
      });
    }
    scope.get('/assets/server.json', () => serverFacts(app, env));
    if (start) registerStartLink(scope, app, env);
  });
}

/**
 * Answers a request with the token of the start link with the secrets of the data folder, once, and only to this
 * machine. Any other request gets an empty object.
 */
function registerStartLink(scope: FastifyInstance, app: INestApplication, env: Env): void {
  scope.post<{ Body: { readonly token?: unknown } | null }>(
    '/assets/local.json',
    {
      // This is the only answer with a secret: no setting of CORS_ORIGINS lets another origin read it.
      onSend: (_request, reply, payload, done) => {
        reply.removeHeader('access-control-allow-origin');
        done(null, payload);
      },
    },
    async (request) => {
      const { token } = request.body ?? {};
      const isOpened =
        hasStartLink(env) &&
        isFromThisMachine(request) &&
        typeof token === 'string' &&
        (await openStartLink(env.DATA_DIR, token));
      return isOpened ? { local: await localSecrets(app, env) } : {};
    },
  );
}
