import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { apiTypes } from '../../scripts/client/api-types.ts';
import { ROOT } from '../repository/files.js';
import { startApp } from '../support/start-app.js';

it('should have made the types of the client from the description that the server serves', async () => {
  const { url } = await startApp();
  const description = (await (await fetch(`${url}/openapi.json`)).json()) as object;
  const made = readFileSync(join(ROOT, 'client/src/api-types.ts'), 'utf8');
  expect(made === (await apiTypes(description))).toBe(true);
});
