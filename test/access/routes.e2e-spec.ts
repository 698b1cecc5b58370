import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/start-app.js';
import { routesOf } from './router-listing.js';
import { API_ROWS, DOCS_ROWS, PREFLIGHT_ROWS, type AccessRow } from './table.js';

function names(table: readonly AccessRow[]): string[] {
  return table.map(({ method, path }) => `${method} ${path}`).sort();
}

describe('The routes of the running router', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  afterAll(async () => {
    await server.close();
  });

  it('should be the rows of the access table, no more and no less', () => {
    const table = [...API_ROWS, ...DOCS_ROWS, ...PREFLIGHT_ROWS];
    expect(routesOf(server.app).sort()).toEqual(names(table));
  });

  it('should be fewer without docs and origins', async () => {
    const bare = await startApp({
      uri: server.uri,
      env: { NODE_ENV: 'production', DOCS: 'off' },
    });
    try {
      expect(routesOf(bare.app).sort()).toEqual(names(API_ROWS));
    } finally {
      await bare.close();
    }
  });
});
