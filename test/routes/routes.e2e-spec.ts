import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../platform/http/raw-http.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { DECLARED_ROUTES, routesOf } from './router.js';
import { API_ROUTES, PAGE_ROUTES, PREFLIGHT_ROUTE, ROWS, withHead, type Route } from './routes.js';

function names(routes: readonly Route[]): string[] {
  return withHead(routes)
    .map(({ route }) => route)
    .sort();
}

describe('The routes of the running router', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  it('should be those of the controllers, the pages and preflights', () => {
    const known = [...API_ROUTES, ...PAGE_ROUTES, PREFLIGHT_ROUTE];
    expect(routesOf(server.app).sort()).toEqual(names(known));
  });

  it('should be only those of the controllers in production by default', async () => {
    const productionServer = await startApp({ uri: server.uri, env: { NODE_ENV: 'production' } });
    expect(routesOf(productionServer.app).sort()).toEqual(names(API_ROUTES));
    // Without CORS_ORIGINS, OPTIONS is refused like every method that a path does not have.
    for (const { path } of API_ROUTES) {
      const { status } = await send(productionServer.url, path, { method: 'OPTIONS' });
      expect([path, status]).toEqual([path, 405]);
    }
    await productionServer.close();
  });
});

describe('The rows of the routes', () => {
  it('should be one for each route', () => {
    const routes = DECLARED_ROUTES.map(({ route }) => route);
    expect(ROWS.map(({ route }) => route).sort()).toEqual(routes.sort());
  });

  it.each(DECLARED_ROUTES)('should agree with the decorators of $route', ({ route, access }) => {
    expect(ROWS.find((row) => row.route === route)?.access).toEqual(access);
  });
});
