import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LoadLimit } from '../../../src/platform/overload/load-limit.js';
import { PublicListService } from '../../../src/blog/public/lists/public-list.service.js';
import { ExpensiveReadsService } from '../../../src/blog/public/reads/expensive-reads.service.js';
import { storeTimeline } from '../core/fixture.js';
import { holdReads, keepLease } from '../../platform/caching/support/barriers.js';
import { openFixture, type Fixture } from '../../platform/caching/support/fixture.js';
import { CommandRecorder, type RecordedCommand } from '../../support/checks/command-recorder.js';
import { until } from '../../support/time/wait.js';

/** Commands that look at more than 10,000 index keys, or may. */
const isDeep = ({ name, collection, command }: RecordedCommand): boolean =>
  collection === 'blogs' &&
  (name === 'count' || (name === 'find' && Number(command['skip']) > 10_000));

const DEEP_PATHS = [
  '/blogs/latest?page=1002&limit=10',
  '/blogs/latest?page=1003&limit=10',
  '/blogs/latest?page=1004&limit=10&total=true',
  '/blogs/tag/common?page=102&limit=100',
  '/blogs/tag/common?page=1&limit=5&total=true',
  '/blogs/tag/nowhere?page=1&limit=5&total=true',
] as const;

/** Three of the six pages ask for a total. */
const DEEP_COMMAND_COUNT = 4 + 3;

describe('deep pages and totals', () => {
  let server: Fixture;
  let recorder: CommandRecorder;
  let newest: string | undefined;

  beforeAll(async () => {
    server = await openFixture({ env: { CACHE_MB: '0' } });
    [newest] = await storeTimeline(server, 3, () => ['common']);
    recorder = new CommandRecorder(server);
    // The API key is cached, so that the reads that follow are those of the test.
    keepLease(server.app);
    await server.client.get('/auth/verify/apikey');
    // All are of one client prefix.
    Object.assign(server.app.get(LoadLimit).expensiveReads['options'], {
      maxPerClientPrefix: Infinity,
    });
  });

  const deepCommands = (): number => recorder.commands.filter(isDeep).length;

  it('should run as many at a time in the database as may, without delaying other reads', async () => {
    const lists = server.app.get(PublicListService);
    const list = jest.spyOn(lists, 'list');
    const held = holdReads(server.app);
    recorder.clear();
    const answers = DEEP_PATHS.map((path) => server.client.get(path));
    await until('all of them', () => list.mock.calls.length === DEEP_PATHS.length);
    held.stopHolding();
    // This request comes after all of them, and is answered before any of them.
    const { body } = await server.client.get(`/blog/id/${newest}`);
    expect(body.data._id).toBe(newest);
    const { maxConcurrent } = server.app.get(ExpensiveReadsService)['options'];
    expect(deepCommands()).toBe(maxConcurrent);
    held.release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual(DEEP_PATHS.map(() => 200));
    expect(deepCommands()).toBe(DEEP_COMMAND_COUNT);
  });
});
