import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { makeStartLink, openStartLink } from './start-link.js';

const tokenOf = (link: string): string => /^http:\/\/x\/#link=([\w-]{32})$/.exec(link)?.[1] ?? '';

describe('the link of the start page', () => {
  let folder: string;
  let token: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pressroom-test-'));
    token = tokenOf(await makeStartLink(folder, 'http://x'));
  });

  afterEach(async () => {
    jest.useRealTimers();
    await rm(folder, { recursive: true });
  });

  it('should be opened by one of several requests', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => openStartLink(folder, token)));
    expect(opened.filter(Boolean)).toHaveLength(1);
    expect(await openStartLink(folder, token)).toBe(false);
    expect(await readdir(folder)).toEqual([]);
  });

  it('should not be opened by another token, which does not spend it', async () => {
    for (const wrong of ['', 'x', `${token}x`, token.toUpperCase(), '0'.repeat(32)]) {
      expect(await openStartLink(folder, wrong)).toBe(false);
    }
    expect(await openStartLink(folder, token)).toBe(true);
  });

  it('should end after ten minutes, or when another one is made', async () => {
    const later = tokenOf(await makeStartLink(folder, 'http://x'));
    expect(await openStartLink(folder, token)).toBe(false);
    jest.useFakeTimers({ now: Date.now() + 600_001, doNotFake: ['nextTick', 'setImmediate'] });
    expect(await openStartLink(folder, later)).toBe(false);
  });

  it('should store no token, for its owner alone', async () => {
    const file = join(folder, 'start-link.json');
    expect(await readFile(file, 'utf8')).not.toContain(token);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each(['', 'null', '{', '{"hash":"x","expiresAt":9e15}', '{"hash":[1]}'])(
    'should stay closed with a damaged file: %s',
    async (text) => {
      await writeFile(join(folder, 'start-link.json'), text);
      expect(await openStartLink(folder, token)).toBe(false);
    },
  );
});
