import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mongo, Types } from 'mongoose';
import { BlogStore } from '../../src/blog/core/blog-store.js';
import { BlogTransitionService } from '../../src/blog/core/transitions/blog-transition.service.js';
import { CommentStore } from '../../src/blog/comments/store/comment-store.js';
import { PreviewStore } from '../../src/blog/previews/preview-store.js';
import { decompressFields } from '../../src/blog/revisions/store/revision-fields.js';
import { RevisionStore } from '../../src/blog/revisions/store/revision-store.js';
import { SetupService } from '../../src/cli/setup/setup.service.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../blog/core/fixture.js';
import { blogBody, blogIn, PASSWORD, person, STATES, type Person } from '../support/factories.js';
import { cycled, isLong } from '../support/scale.js';
import { runAccountJobs } from '../blog/handover/account-jobs.js';
import { newPreview } from '../support/previews.js';
import { collectionNames } from '../support/mongo/mongo.js';

/** Every text of the user that is never published contains this. */
const UNPUBLISHED = 'never-published';

interface Content {
  readonly _id: Types.ObjectId;
  readonly fields: mongo.Binary;
}

interface Revision {
  readonly move: string;
  readonly content: Types.ObjectId;
}

describe('what is left of a deleted account', () => {
  let fixture: BlogFixture;
  let ada: Person;
  /** A live blog and its published title. */
  let live: { readonly _id: string; readonly title: string };

  beforeAll(async () => {
    fixture = await openBlogFixture();
    // With no admin in the database, every deletion would be refused.
    await person(fixture, 'ADMIN');
  });

  beforeEach(async () => {
    ada = await person(fixture, 'AUTHOR', 'EDITOR');
    live = await publishTwice();
    // The field of a blog that was created with an Idempotency-Key.
    const change = { $set: { requestHash: `${UNPUBLISHED}-hash` } };
    await fixture.db.collection('blogs').updateOne(byId(live._id), change);
    await fill();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const byId = (id: string) => ({ _id: new Types.ObjectId(id) });
  /** Deletes the account, and does the rest of the deletion. */
  const deleteAccount = async () => {
    const answer = await ada.client.delete('/profile/mine', { body: { password: PASSWORD } });
    await runAccountJobs(fixture);
    return answer;
  };
  const put = async (path: string, body?: object, { client } = ada): Promise<void> => {
    const { status, body: answer } = await client.put(path, body);
    if (status !== 200) throw new Error(`${path}: ${answer.message}`);
  };
  const transitionBy = (name: 'return' | 'submit', id: string, note: string) =>
    fixture.app.get(BlogTransitionService).apply(name, {
      id: byId(id)._id,
      actor: byId(fixture.editor._id)._id,
      ifMatch: null,
      details: { note },
    });
  const draftOf = (title: string) => blogBody({ title, draftText: `<p>${title}</p>` });

  /** Every text of the database, including the compressed texts of revisions. */
  async function dump(): Promise<string> {
    const names = await collectionNames(fixture.db);
    const records = await Promise.all(
      names.map((name) => fixture.db.collection(name).find().toArray()),
    );
    const contents = await fixture.db.collection<Content>('blog_revisions').find().toArray();
    const fields = await Promise.all(
      contents.map(({ fields: { buffer } }) => decompressFields(buffer)),
    );
    return mongo.BSON.EJSON.stringify([records, fields]);
  }

  /** A live blog that was published twice; in between it was returned with a note. */
  async function publishTwice(): Promise<typeof live> {
    const { _id } = await blogIn('live', ada, fixture.editor);
    await put(`/blog/author/id/${_id}`, draftOf(`${UNPUBLISHED}-first-try`));
    await transitionBy('submit', _id, `${UNPUBLISHED}-note-to-editors`);
    await transitionBy('return', _id, `${UNPUBLISHED}-reason`);
    const title = `Published by ${ada._id}`;
    await put(`/blog/author/id/${_id}`, draftOf(title));
    await put(`/blog/author/submit/${_id}`);
    await put(`/blog/editor/publish/id/${_id}`, undefined, fixture.editor);
    return { _id, title };
  }

  /** Stores unpublished texts of every kind, in the live blog and in other blogs. */
  async function fill(): Promise<void> {
    await put('/profile/mine', { profilePicUrl: `https://example.org/${UNPUBLISHED}.png` });
    await put(`/blog/author/id/${live._id}`, draftOf(`${UNPUBLISHED}-second-try`));
    await transitionBy('submit', live._id, `${UNPUBLISHED}-note`);
    const comments = `/comments/id/${live._id}`;
    await ada.client.post(`/blog/author${comments}`, { text: `${UNPUBLISHED}-question` });
    await fixture.editor.client.post(`/blog/editor${comments}`, { text: `${UNPUBLISHED}-answer` });
    await newPreview(ada, 'author', live._id);
    const token = { name: `${UNPUBLISHED}-token`, roles: ['AUTHOR'] };
    await ada.client.post('/auth/tokens', token);
    await transitionBy('return', live._id, `${UNPUBLISHED}-other-reason`);
    await put(`/blog/author/id/${live._id}`, draftOf(`${UNPUBLISHED}-edit`));
    for (const isTrashed of [false, true]) {
      for (const state of STATES.filter((name) => isTrashed || !name.startsWith('live'))) {
        const { _id } = await blogIn(
          state,
          ada,
          fixture.editor,
          draftOf(`${UNPUBLISHED}-${state}`),
        );
        if (isTrashed) await ada.client.delete(`/blog/author/id/${_id}`);
      }
    }
  }

  async function expectOnlyPublished(): Promise<void> {
    const texts = await dump();
    for (const personal of [UNPUBLISHED, ada.email, ada.name]) {
      expect(texts).not.toContain(personal);
    }
    const { db, client } = fixture;
    const { data } = (await client.get(`/blog/id/${live._id}`)).body;
    expect(data).toMatchObject({ title: live.title, author: { name: 'Former author' } });
    const remaining = await db
      .collection('blogs')
      .find({ author: byId(ada._id)._id })
      .toArray();
    expect(remaining.map(({ _id }) => String(_id))).toEqual([live._id]);
    const blog = await storedBlog(db, live._id);
    expect(blog).not.toHaveProperty('requestHash');
    const gone = [
      'purging',
      'returned',
      'submissionNote',
      'contributors',
      'submitters',
      'schedule',
      'assignedTo',
    ];
    expect(Object.keys(blog).filter((field) => gone.includes(field))).toEqual([]);
    expect(blog).toMatchObject({ submitted: false, drafted: false, published: true });
    // Both publications stay, with their contents.
    const revisions = blog['revisions'] as Revision[];
    expect(revisions.map(({ move: transition }) => transition)).toEqual(['publish', 'publish']);
    const contents = await db
      .collection<Content>('blog_revisions')
      .find({ blog: blog._id })
      .toArray();
    const idsOf = (ids: readonly Types.ObjectId[]) => ids.map(String).sort();
    expect(idsOf(contents.map(({ _id }) => _id))).toEqual(
      idsOf(revisions.map(({ content }) => content)),
    );
    for (const name of ['blog_comments', 'blog_previews']) {
      expect([name, await db.collection(name).countDocuments({ blog: blog._id })]).toEqual([
        name,
        0,
      ]);
    }
  }

  it('should be what was published', async () => {
    expect(await dump()).toContain(UNPUBLISHED);
    expect((await deleteAccount()).body).toEqual({
      code: '10000',
      status: 200,
      message: 'account deleted successfully',
      data: { cleared: [], passed: [], more: false, job: expect.any(String) },
    });
    await expectOnlyPublished();
  });

  it('should go to the next author without a trace of what was never published', async () => {
    const admin = await person(fixture, 'ADMIN');
    const { other } = fixture;
    await deleteAccount();
    const path = `/admin/blogs/id/${live._id}/author`;
    await put(path, { user: other._id }, admin);
    await put(`/blog/author/id/${live._id}`, draftOf('Of the next author'), other);
    await put(`/blog/author/submit/${live._id}`, undefined, other);
    // The clean-up may be repeated. It leaves the blog alone, which belongs to the next author now.
    await fixture.app.get(SetupService).prepare();
    await runAccountJobs(fixture);
    const { revisions, title } = await storedBlog(fixture.db, live._id);
    expect((revisions as Revision[]).map(({ move: transition }) => transition)).toEqual([
      'publish',
      'publish',
      'submit',
    ]);
    expect(title).toBe('Of the next author');
    expect(await dump()).not.toContain(UNPUBLISHED);
  });

  it('should not include a live blog that an editor unpublishes later, nor its revisions', async () => {
    await deleteAccount();
    await put(`/blog/editor/unpublish/id/${live._id}`, undefined, fixture.editor);
    const stored = await dump();
    expect(stored).not.toContain(live.title);
    const contents = await fixture.db.collection('blog_revisions').find().toArray();
    expect(JSON.stringify(contents)).not.toContain(live._id);
  });

  it('should not include assignments of blogs in review or of drafts', async () => {
    const { author, editor, db } = fixture;
    const ids = [
      (await blogIn('in review', author, editor))._id,
      (await blogIn('draft', author, editor))._id,
    ];
    const blogOfOtherAssignee = (await blogIn('in review', author, editor))._id;
    const blogs = db.collection('blogs');
    for (const id of ids)
      await blogs.updateOne(byId(id), { $set: { assignedTo: byId(ada._id)._id } });
    await blogs.updateOne(byId(blogOfOtherAssignee), {
      $set: { assignedTo: byId(editor._id)._id },
    });
    const before = await Promise.all(ids.map((id) => storedBlog(db, id)));
    await deleteAccount();
    for (const { _id, assignedTo: _, rev, events, updatedBy: __, ...rest } of before) {
      const now = await storedBlog(db, String(_id));
      expect(now).toMatchObject({ ...rest, rev: rev + 1 });
      expect(now).not.toHaveProperty('assignedTo');
      const newEvents = (now['events'] as object[]).slice((events as object[]).length);
      expect(newEvents).toMatchObject([{ move: 'assign', by: byId(ada._id)._id, rev: rev + 1 }]);
    }
    expect((await storedBlog(db, blogOfOtherAssignee))['assignedTo']).toEqual(byId(editor._id)._id);
  });

  describe('when the process ends before a write', () => {
    type Calls = Record<string, (...given: unknown[]) => Promise<unknown>>;
    const SERVICES = {
      blogs: BlogStore,
      comments: CommentStore,
      previews: PreviewStore,
      revisions: RevisionStore,
    } as const;

    /** The writes before which the process ends: a method of a service, and the number of the call. */
    const STEPS: readonly (readonly [of: keyof typeof SERVICES, method: string, number: number])[] =
      [
        // Marks the blogs, removes the trash, deletes drafts, discards edits, removes what was not published,
        // unmarks the live blog, and removes the drafts.
        ...[1, 2, 3, 4, 5, 6, 7].map((number) => ['blogs', 'updateMany', number] as const),
        ['revisions', 'removeAllOf', 1],
        ['revisions', 'removeAllOf', 2],
        ['revisions', 'removeUnpublished', 1],
        // Comments and previews are removed of the trash, of the live blog, and of the drafts.
        ['comments', 'removeAllOf', 2],
        ['comments', 'removeAllOf', 3],
        ['previews', 'removeAllOf', 2],
      ];

    /** Makes this call and later ones fail, as if the process had ended. @returns whether this call was reached */
    function endBefore([of, method, number]: (typeof STEPS)[number]): () => boolean {
      const service: object = fixture.app.get<object>(SERVICES[of]);
      const target = service as Calls;
      const call = target[method]?.bind(target);
      let count = 0;
      jest.spyOn(target, method).mockImplementation(async (...given) => {
        count += 1;
        if (count >= number) throw new Error('the end of the process');
        return call?.(...given);
      });
      return () => count >= number;
    }

    const CLEAN_UPS: Readonly<Record<string, () => Promise<unknown>>> = {
      start: async () => {
        await fixture.app.get(SetupService).prepare();
        await runAccountJobs(fixture);
      },
      'run of the job in another process': () => runAccountJobs(fixture),
    };

    /** `npm run test:long` runs each step with both clean-ups. */
    const CASES = STEPS.flatMap((step, index) => {
      const names = Object.keys(CLEAN_UPS);
      return (isLong ? names : [cycled(names, index)]).map((name) => [name, ...step] as const);
    });

    it.each(CASES)('should, after a %s, be what was published: %s.%s %i', async (name, ...step) => {
      const isReached = endBefore(step);
      await expect(deleteAccount()).rejects.toThrow('the end of the process');
      expect(isReached()).toBe(true);
      jest.restoreAllMocks();
      await CLEAN_UPS[name]?.();
      await expectOnlyPublished();
    });
  });
});
