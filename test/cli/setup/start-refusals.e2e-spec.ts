import { describe, expect, it } from '@jest/globals';
import { OperatorError } from '../../../src/platform/config/operator.error.js';
import { awaitDatabase } from '../../../src/platform/database/connection/await-database.js';
import { freshDatabaseUri } from '../../support/mongo/mongo.js';
import { runNode, temporaryFolder } from '../../support/process.js';

describe('a start that is refused', () => {
  const uri = freshDatabaseUri();

  it.each([
    ['an unknown host of the database', 'mongodb://nowhere.invalid/x', 'No host of the database'],
    ['an unknown user', uri.replace('//', '//nobody:wrong@'), 'The database refuses the user'],
  ])('should not wait for %s', async (_, wrong, text) => {
    const start = performance.now();
    const connecting = awaitDatabase(wrong, { once: false });
    await expect(connecting).rejects.toThrow(OperatorError);
    await expect(connecting).rejects.toThrow(text);
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  it('should say in one sentence that HOST is of another machine', async () => {
    const { code, stdout, stderr } = await runNode(['dist/main.js'], {
      cwd: await temporaryFolder(),
      env: { MONGODB_URI: uri, PORT: '0', HOST: '192.0.2.1', NODE_ENV: 'test', LOG_LEVEL: 'error' },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The server cannot listen [^\n]+ no such address: set HOST [^\n]+\.\n$/,
    );
  });
});
