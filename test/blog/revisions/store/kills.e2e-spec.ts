import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { OwnMongo } from '../../../support/mongo/own-mongo.js';
import { blogIn, unique, type BlogInState, type State } from '../../../support/factories.js';
import { runNode, temporaryFolder } from '../../../support/process.js';
import { isLong } from '../../../support/scale.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../core/fixture.js';
import {
  expectRevisionForEachTransition,
  fieldsOf,
  makeDue,
  contentCount,
  namedCount,
  revisionsOf,
  sweep,
} from './kept-revisions.js';

interface Case {
  readonly transition: 'submit' | 'correct' | 'publish';
  readonly from: State;
  /** The version that stored the blog: this one, or one that stored no revisions. */
  readonly version: 'this' | 'older';
  /** How many writes to blogs and revisions the transition makes. */
  readonly writes: number;
}

const CASES: readonly Case[] = [
  { transition: 'submit', from: 'draft', version: 'this', writes: 2 },
  { transition: 'correct', from: 'live in review', version: 'this', writes: 2 },
  { transition: 'publish', from: 'live in review', version: 'this', writes: 1 },
  // The first attempt writes nothing. Then two contents are stored, the blog names them, and is published.
  { transition: 'publish', from: 'live in review', version: 'older', writes: 4 },
];

type Kill = Case & { readonly step: number };

/** One kill before each write, and one between the last write and the answer. */
const ALL_KILLS: readonly Kill[] = CASES.flatMap((each) =>
  Array.from({ length: each.writes + 1 }, (_, index) => ({ ...each, step: index + 1 })),
);

/** Each kill starts a process. So `npm test` has only the kills of a submission, and one after two stored contents. */
const KILLS = isLong
  ? ALL_KILLS
  : ALL_KILLS.filter(
      ({ transition, version, step }) =>
        transition === 'submit' || (version === 'older' && step === 3),
    );

/** No transition uses a transaction, so both kinds of server get the same writes. */
const KINDS = isLong ? ['a replica set', 'a standalone'] : ['a replica set'];

describe.each(KINDS)('a process that is killed, on %s', (kind) => {
  let fixture: BlogFixture;
  let uri: string;

  beforeAll(async () => {
    const standalone = kind === 'a standalone' ? await OwnMongo.createStandalone() : null;
    fixture = await openBlogFixture(standalone ? { uri: standalone.uri('revisions') } : {});
    ({ uri } = fixture);
  });

  const userOf = (transition: Case['transition']) =>
    transition === 'submit' ? fixture.author : fixture.editor;

  async function blogOf({ from, version }: Case): Promise<BlogInState> {
    const blog = await blogIn(from, fixture.author, fixture.editor);
    const _id = new Types.ObjectId(blog._id);
    if (version === 'older') {
      await fixture.db.collection('blogs').updateOne({ _id }, { $unset: { revisions: 1 } });
      await fixture.db.collection('blog_revisions').deleteMany({ blog: _id });
    }
    return blog;
  }

  async function kill({ transition, writes, step }: Kill, id: string, title: string) {
    const file = 'test/blog/revisions/store/killed-transition.mjs';
    const args = [transition, id, userOf(transition)._id, title, String(step)];
    const { code, stderr } = await runNode([file, ...args], {
      cwd: await temporaryFolder(),
      env: { NODE_ENV: 'test', MONGODB_URI: uri },
    });
    expect([code, stderr]).toEqual(['SIGKILL', step > writes ? `writes: ${writes}` : '']);
  }

  it.each(KILLS)(
    'should store a new revision only if the transition was made: $transition from $from of $version version, step $step',
    async (given) => {
      const { author, editor, db } = fixture;
      const { transition, from, version, writes, step } = given;
      const isOld = version === 'older';
      const { _id, body, pending } = await blogOf(given);
      const before = await storedBlog(db, _id);
      const kept = await revisionsOf(fixture, _id);
      const working = from === 'draft' ? body : pending;
      const title = unique('Corrected');
      await kill(given, _id, title);

      const after = await storedBlog(db, _id);
      const isMade = step > writes;
      expect(after['rev']).toBe(before['rev'] + (isMade ? 1 : 0));
      const revisions = isOld
        ? await revisionsOf(fixture, _id)
        : await expectRevisionForEachTransition(fixture, _id);
      if (isOld) {
        // The first two revisions are the live version and the submission.
        const adopted = revisions.slice(0, 2).map((each) => [each.move, fieldsOf(each)]);
        expect(adopted).toEqual(
          step >= writes
            ? [
                ['publish', body],
                ['submit', pending],
              ]
            : [],
        );
      } else {
        expect(revisions.slice(0, kept.length)).toEqual(kept);
      }
      const made = revisions.find(({ rev }) => rev === before['rev'] + 1);
      const submitted = transition === 'correct' ? { ...working, title } : working;
      expect(made && [made.move, fieldsOf(made)]).toEqual(
        isMade ? [transition, submitted] : undefined,
      );

      // The next revision must not get the content that the killed process left behind.
      await author.client.put(`/blog/author/withdraw/${_id}`);
      const edited = { title: unique('Edited') };
      await author.client.put(`/blog/author/id/${_id}`, edited);
      expect((await author.client.put(`/blog/author/submit/${_id}`)).status).toBe(200);
      expect((await editor.client.put(`/blog/editor/publish/id/${_id}`)).status).toBe(200);
      const later = isOld
        ? await revisionsOf(fixture, _id)
        : await expectRevisionForEachTransition(fixture, _id);
      expect(later.slice(-2).map((each) => [each.move, each.title])).toEqual([
        ['submit', edited.title],
        ['publish', edited.title],
      ]);

      await makeDue(db);
      await sweep(fixture);
      expect(await contentCount(db, _id)).toBe(await namedCount(db, _id));
      expect(await revisionsOf(fixture, _id)).toEqual(later);
    },
    60_000,
  );
});
