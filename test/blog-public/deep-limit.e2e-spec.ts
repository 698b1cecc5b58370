import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PublicListService } from '../../src/blog-public/lists/public-list.service.js';
import { storeTimeline } from '../blog/newsroom.js';
import { holdReads, keepLease } from '../cache/support/barriers.js';
import { openStage, type Stage } from '../cache/support/fixture.js';
import { CommandRecorder, type RecordedCommand } from '../support/checks/command-recorder.js';
import { until } from '../support/wait.js';

const MOST_AT_ONCE = 2;

/** What walks more than 10,000 index keys, or may. */
const isDeep = ({ name, collection, command }: RecordedCommand): boolean =>
  collection === 'blogs' &&
  (name === 'count' || (name === 'find' && Number(command['skip']) > 10_000));

const DEEP = [
  '/blogs/latest?page=1002&limit=10',
  '/blogs/latest?page=1003&limit=10',
  '/blogs/latest?page=1004&limit=10&total=true',
  '/blogs/tag/common?page=102&limit=100',
  '/blogs/tag/common?page=1&limit=5&total=true',
  '/blogs/tag/nowhere?page=1&limit=5&total=true',
] as const;

/** Three of the six pages ask for a total. */
const DEEP_COMMANDS = 4 + 3;

describe('deep pages and totals', () => {
  let stage: Stage;
  let recorder: CommandRecorder;
  let newest: string | undefined;

  beforeAll(async () => {
    stage = await openStage({ env: { CACHE_MB: '0' } });
    [newest] = await storeTimeline(stage, 3, () => ['common']);
    recorder = new CommandRecorder(stage);
    // What every request needs is in memory, so that the reads that follow are those of the test.
    keepLease(stage.app);
    await stage.client.get('/auth/verify/apikey');
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    recorder.stop();
    await stage.close();
  });

  const deepCommands = (): number => recorder.commands.filter(isDeep).length;

  it('should be two at once in the database, while others pass', async () => {
    const lists = stage.app.get(PublicListService);
    const calls = [jest.spyOn(lists, 'latest'), jest.spyOn(lists, 'byTag')];
    const held = holdReads(stage.app);
    recorder.clear();
    const answers = DEEP.map((path) => stage.client.get(path));
    await until(
      'all of them',
      () => calls.reduce((sum, { mock }) => sum + mock.calls.length, 0) === DEEP.length,
    );
    held.holdNoMore();
    // It asks the database after them all, and has its answer before any of them.
    const { body } = await stage.client.get(`/blog/id/${newest}`);
    expect(body.data._id).toBe(newest);
    expect(deepCommands()).toBe(MOST_AT_ONCE);
    held.arrive();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual(DEEP.map(() => 200));
    expect(deepCommands()).toBe(DEEP_COMMANDS);
  });
});
