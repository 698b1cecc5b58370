import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { BlogTransitionService } from '../../../../src/blog/core/transitions/blog-transition.service.js';
import { RevisionStore } from '../../../../src/blog/revisions/store/revision-store.js';
import { StaleRevisionError } from '../../../../src/platform/http/errors/api.errors.js';
import { CommandRecorder } from '../../../support/checks/command-recorder.js';
import { blogIn, unique } from '../../../support/factories.js';
import { OwnMongo } from '../../../support/mongo/own-mongo.js';
import { SERVER_NAME } from '../../../support/query-plans/profiler.js';
import { MINUTE } from '../../../support/time/clock.js';
import { isLong } from '../../../support/scale.js';
import { makeTransition } from '../../core/transition-table.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../core/fixture.js';
import {
  contentCount,
  expectOneForEachTransition,
  makeDue,
  namedCount,
  sweep,
} from './kept-revisions.js';

/** What becomes of a command; `times` is enough for the driver's retry. */
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

/** Both store a content and name it; a submission stands for both. */
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
      // With a lost answer, a replica set knows what the driver retries; a standalone does not retry.
      if (isAcknowledged) expect(isMade).toBe(true);
      if (fault === 'is refused') expect([isAcknowledged, isMade]).toEqual([false, false]);
      const kept = await expectOneForEachTransition(fixture, _id);
      const title = transition === 'submit' ? body.title : first;
      if (isMade) expect(kept.at(-1)).toMatchObject({ rev, move: transition, title });

      await author.client.put(`/blog/author/withdraw/${_id}`);
      const edited = { title: unique('Edited') };
      await author.client.put(`/blog/author/id/${_id}`, edited);
      expect(await make('submit', _id, '')).toBe(true);
      const later = await expectOneForEachTransition(fixture, _id);
      expect(later.slice(0, -1)).toEqual(kept);
      expect(later.at(-1)).toMatchObject({ move: 'submit', ...edited });
      await makeDue(db);
      await sweep(fixture);
      expect(await contentCount(db, _id)).toBe(await namedCount(db, _id));
      expect(await expectOneForEachTransition(fixture, _id)).toEqual(later);
    },
  );
});

describe('the content of a revision', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('should be made of what no failover can undo, and survive one before the transition', async () => {
    const recorder = new CommandRecorder(fixture);
    const { _id } = await blogIn('draft', fixture.author, fixture.editor);
    recorder.clear();
    await fixture.author.client.put(`/blog/author/submit/${_id}`);
    const sent = recorder.commands.filter(({ collection }) => collection?.startsWith('blog'));
    expect(sent.map(({ name, collection }) => `${name} ${collection}`)).toEqual([
      'aggregate blogs',
      'insert blog_revisions',
      'findAndModify blogs',
    ]);
    const [read, ...writes] = sent.map(({ command }) => command);
    expect(read?.['readConcern']).toMatchObject({ level: 'majority' });
    // The default of the client, unless the command says otherwise.
    for (const { writeConcern } of writes)
      expect(writeConcern ?? { w: 'majority' }).toMatchObject({ w: 'majority' });
  });

  /** Makes the store read like a process that was suspended for two minutes after it. */
  function readLate(): void {
    const store = fixture.app.get(RevisionStore);
    const read = store.read.bind(store);
    jest.spyOn(store, 'read').mockImplementation(async (id) => {
      const snapshot = await read(id);
      return snapshot && { ...snapshot, readAt: new Date(+snapshot.readAt - 2 * MINUTE) };
    });
  }

  it('should not be named when the sweep may have removed it', async () => {
    const { author, editor, db, app } = fixture;
    const { _id } = await blogIn('draft', author, editor);
    const live = new Types.ObjectId((await blogIn('live', author, editor))._id);
    const before = await storedBlog(db, _id);
    readLate();
    expect((await author.client.put(`/blog/author/submit/${_id}`)).status).toBe(412);
    expect(await storedBlog(db, _id)).toEqual(before);
    expect(await contentCount(db, _id)).toBe(0);

    await db.collection('blogs').updateOne({ _id: live }, { $unset: { revisions: 1 } });
    const request = { id: live, actor: live, ifMatch: null };
    const transition = app.get(BlogTransitionService).apply('unpublish', request);
    await expect(transition).rejects.toThrow(StaleRevisionError);
    expect(await storedBlog(db, live.toHexString())).not.toHaveProperty('revisions');
  });
});
