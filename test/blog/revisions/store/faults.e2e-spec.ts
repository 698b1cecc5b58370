import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { blogIn, unique } from '../../../support/factories.js';
import { OwnMongo } from '../../../support/mongo/own-mongo.js';
import { SERVER_NAME } from '../../../support/query-plans/profiler.js';
import { isLong } from '../../../support/scale.js';
import { makeTransition } from '../../core/transition-table.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../core/fixture.js';
import {
  contentCount,
  expectRevisionForEachTransition,
  makeDue,
  namedCount,
  sweep,
} from './kept-revisions.js';

/** What happens to a command. `times` is 2 where the driver's retry has to fail as well. */
const FAULTS = {
  'is refused': { times: 2, data: { closeConnection: true } },
  'is made, and its answer is an error': {
    times: 1,
    data: { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
  },
  'is made, its answer is lost, and the driver retries it': {
    times: 1,
    data: {
      writeConcernError: { code: 91, errmsg: 'shutting down' },
      errorLabels: ['RetryableWriteError'],
    },
  },
} as const;

/** Both transitions store a content and name it, so `npm test` only submits. */
const TRANSITIONS = isLong ? (['submit', 'correct'] as const) : (['submit'] as const);

const CASES = (['insert', 'findAndModify'] as const).flatMap((command) =>
  (Object.keys(FAULTS) as (keyof typeof FAULTS)[]).flatMap((fault) =>
    TRANSITIONS.map((transition) => ({ transition, command, fault })),
  ),
);

describe.each(['a replica set', 'a standalone'])('a database that fails, on %s', (kind) => {
  let mongod: OwnMongo;
  let fixture: BlogFixture;

  beforeAll(async () => {
    mongod =
      kind === 'a standalone'
        ? await OwnMongo.createStandalone({ hasFailPoints: true })
        : await OwnMongo.create({ hasFailPoints: true });
    fixture = await openBlogFixture({ uri: mongod.uri('faults') });
  }, 60_000);

  afterEach(() => mongod.failPoint('failCommand', 'off'));

  /** @returns whether the transition was acknowledged */
  async function make(
    transition: 'submit' | 'correct',
    id: string,
    title: string,
  ): Promise<boolean> {
    const client = transition === 'submit' ? fixture.author.client : fixture.editor.client;
    return (await makeTransition(client, transition, id, { title })).status === 200;
  }

  it.each(CASES)(
    'should keep one revision for each $transition that is made, when $command $fault',
    async ({ transition, command, fault }) => {
      const { author, editor, db } = fixture;
      const from = transition === 'submit' ? 'draft' : 'in review';
      const { _id, body } = await blogIn(from, author, editor);
      const { times, data } = FAULTS[fault];
      const options = { failCommands: [command], appName: SERVER_NAME, ...data };
      await mongod.failPoint('failCommand', { times }, options);
      const first = unique('First');
      const isAcknowledged = await make(transition, _id, first);
      await mongod.failPoint('failCommand', 'off');
      const { rev } = await storedBlog(db, _id);
      const isMade = rev === (transition === 'submit' ? 2 : 3);
      // A write that was made may be answered with an error, so the test expects it only after an acknowledgement.
      if (isAcknowledged) expect(isMade).toBe(true);
      if (fault === 'is refused') expect([isAcknowledged, isMade]).toEqual([false, false]);
      const kept = await expectRevisionForEachTransition(fixture, _id);
      const title = transition === 'submit' ? body.title : first;
      if (isMade) expect(kept.at(-1)).toMatchObject({ rev, move: transition, title });

      await author.client.put(`/blog/author/withdraw/${_id}`);
      const edited = { title: unique('Edited') };
      await author.client.put(`/blog/author/id/${_id}`, edited);
      expect(await make('submit', _id, '')).toBe(true);
      const later = await expectRevisionForEachTransition(fixture, _id);
      expect(later.slice(0, -1)).toEqual(kept);
      expect(later.at(-1)).toMatchObject({ move: 'submit', ...edited });
      await makeDue(db);
      await sweep(fixture);
      expect(await contentCount(db, _id)).toBe(await namedCount(db, _id));
      expect(await expectRevisionForEachTransition(fixture, _id)).toEqual(later);
    },
  );
});
