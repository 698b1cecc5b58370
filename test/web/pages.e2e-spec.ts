import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from 'parse5';
import { expectRefusal, send } from '../platform/http/raw-http.js';
import { DOCS_ROUTES, PAGE_ROUTES, START_ROUTES } from '../routes/routes.js';
import { freshDatabaseUri } from '../support/mongo/mongo.js';
import { ROOT } from '../repository/files.js';
import { startApp, type TestApp } from '../support/start-app.js';

const pathsOf = (routes: typeof PAGE_ROUTES): string[] => routes.map(({ path }) => path);
const PATHS = pathsOf(PAGE_ROUTES.filter(({ method }) => method === 'GET'));

/** The headers that helmet adds to pages. The API's own responses have none of them. */
const HELMET_HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-frame-options',
];

describe('The pages', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp({ env: { DOCS: 'on' } });
  });

  it.each(['/', '/docs'])('should refer only to this server at %s', async (path) => {
    const { status, headers, text } = await send(server.url, path);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html; charset=utf-8$/i);
    const references = referencesOf(text);
    expect(references.length).toBeGreaterThanOrEqual(4);
    for (const reference of references) {
      expect(reference).toMatch(/^\/(docs|assets)\//);
      expect((await send(server.url, reference)).status).toBe(200);
    }
    // Inline scripts, styles and handlers would need a policy that allows them.
    expect(text).not.toMatch(/<script>|<style|\son\w+=/);
  });

  it('should be the same with a trailing slash', async () => {
    expect((await send(server.url, '/docs/')).text).toBe((await send(server.url, '/docs')).text);
  });

  it.each([
    ['/openapi.json', /^application\/json; charset=utf-8$/],
    ['/assets/server.json', /^application\/json; charset=utf-8$/],
    ['/docs/docs.js', /javascript; charset=utf-8$/i],
    ['/docs/swagger-ui-bundle.js', /javascript; charset=utf-8$/i],
    ['/docs/swagger-ui.css', /^text\/css; charset=utf-8$/i],
    ['/assets/favicon-32x32.png', /^image\/png$/],
  ])('should serve %s with its content type', async (path, type) => {
    const { headers, text } = await send(server.url, path);
    expect(headers['content-type']).toMatch(type);
    expect(text.length).toBeGreaterThan(50);
  });

  it('should have no script of their own that names another host', async () => {
    for (const path of PATHS.filter((name) => /\/(assets|docs)\/(?!swagger).*js$/.test(name))) {
      const { text } = await send(server.url, path);
      expect([path, /https?:/.exec(text)]).toEqual([path, null]);
    }
  });

  it.each(PATHS)('should send helmet’s headers with %s', async (path) => {
    const { headers } = await send(server.url, path);
    for (const name of HELMET_HEADERS)
      expect([name, headers[name]]).toEqual([name, expect.any(String)]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-request-id']).toBeTruthy();
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|upgrade-insecure/);
    expect(policy).not.toMatch(/\*(?!\.)|http:/);
    // Docs are often read without TLS on a developer's machine.
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it('should send helmet’s headers at no other path', async () => {
    for (const path of ['/health', '/nowhere', '/docs/nowhere', '/blogs/latest', '/%']) {
      const { headers } = await send(server.url, path);
      expect(HELMET_HEADERS.filter((name) => headers[name] !== undefined)).toEqual([]);
    }
  });

  it.each([
    '/docs/docs.html',
    '/assets/start.html',
    '/assets/..%2fpages.ts',
    '/docs/swagger-initializer.js',
    '/docs/%2e%2e%2fpackage.json',
    '/docs/swagger-ui.css%00',
  ])('should not serve %s', async (path) => {
    expectRefusal(await send(server.url, path), 404);
  });
});

describe('Pages that are switched off', () => {
  const PRODUCTION = { NODE_ENV: 'production', CORS_ORIGINS: '*' };

  const expectNoTrace = async (server: TestApp, paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      expect(expectRefusal(await send(server.url, path), 404)).toBe('not found: no such path');
      expectRefusal(await send(server.url, path, { method: 'POST' }), 404);
    }
  };

  it('should leave no trace of the docs with DOCS=off', async () => {
    const server = await startApp({ env: { DOCS: 'off' } });
    await expectNoTrace(server, [...pathsOf(DOCS_ROUTES), '/docs/', '/docs/index.html']);
    expect((await send(server.url, '/')).status).toBe(200);
    await server.close();
  });

  it('should include the start page in production even with DOCS=on; /assets/server.json has only the version', async () => {
    const server = await startApp({ env: { ...PRODUCTION, DOCS: 'on' } });
    await expectNoTrace(server, pathsOf(START_ROUTES));
    const { text } = await send(server.url, '/assets/server.json');
    expect(JSON.parse(text)).toEqual({ version: expect.any(String) });
    await server.close();
  });

  /** The built server starts in a process of its own: this process has loaded all modules for other tests. */
  it('should not load the modules that only pages need', async () => {
    const PAGE_MODULES = /\/build\/(openapi|web)\/|swagger-ui-dist|@fastify\/(helmet|static)\//;
    const [off, on] = await Promise.all([modulesLoaded('off'), modulesLoaded('on')]);
    expect(off.filter((url) => PAGE_MODULES.test(url))).toEqual([]);
    expect(off.filter((url) => url.endsWith('/build/app.module.js'))).toHaveLength(1);
    for (const part of ['/build/web/pages.js', '@fastify/helmet/', '@fastify/static/']) {
      expect(on.filter((url) => url.includes(part))).not.toEqual([]);
    }
  });
});

/** The values of `src`, `href` and `action` of all elements. */
function referencesOf(html: string): string[] {
  const references: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (defaultTreeAdapter.isElementNode(node)) {
      const found = node.attrs.filter(({ name }) => ['src', 'href', 'action'].includes(name));
      references.push(...found.map(({ value }) => value));
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return references;
}

/** The URLs of all modules that are loaded when the server is created. */
async function modulesLoaded(docs: 'on' | 'off'): Promise<string[]> {
  const database = freshDatabaseUri();
  const program = `
    import { registerHooks } from 'node:module';
    const urls = new Set();
    registerHooks({ load: (url, context, next) => { urls.add(url); return next(url, context); } });
    const { createApp } = await import('./build/app.js');
    const { validateEnv } = await import('./build/platform/config/env.js');
    const { generateKeyPairSync } = await import('node:crypto');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const env = validateEnv({
      NODE_ENV: 'production',
      DOCS: '${docs}',
      MONGODB_URI: process.argv[1],
      LOG_LEVEL: 'silent',
      JWT_PRIVATE_KEYS: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    });
    const app = await createApp(env);
    await app.close();
    console.log(JSON.stringify([...urls]));
  `;
  const args = ['--input-type=module', '-e', program, database];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  return JSON.parse(stdout) as string[];
}
