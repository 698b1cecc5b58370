import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import { blogBody, person, unique, type Person } from '../../support/factories.js';
import { DAY } from '../../support/time/clock.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';

const REFUSED = [400, 'other_editor_needed'];
const ALLOWED = [200, undefined];

describe('the contributors of a blog, with FOUR_EYES=on', () => {
  let fixture: BlogFixture;
  let admin: Person;
  /** An author who is an editor as well, and whose words are in each blog. */
  let eve: Person;
  let otherEditor: Person;
  /** The blog of the case. `author` writes it unless the case says otherwise. */
  let id: string;

  beforeAll(async () => {
    fixture = await openBlogFixture({ env: { FOUR_EYES: 'on' } });
    admin = await person(fixture, 'ADMIN');
    eve = await person(fixture, 'AUTHOR', 'EDITOR');
    otherEditor = await person(fixture, 'EDITOR');
  });

  async function done(call: Promise<{ status: number; body: { message: string } }>): Promise<void> {
    const { status, body } = await call;
    if (status !== 200) throw new Error(body.message);
  }
  async function createdBy({ client }: Person): Promise<string> {
    return (await client.post<{ _id: string }>('/blog/author', blogBody())).body.data._id;
  }
  const put = ({ client }: Person, path: string, body?: object) =>
    done(client.put(`/blog/${path}`, body));
  const edit = (who = fixture.author) => put(who, `author/id/${id}`, { title: 'Edited' });
  const submit = (who = fixture.author) => put(who, `author/submit/${id}`);
  const withdraw = () => put(fixture.author, `author/withdraw/${id}`);
  const discard = () => put(fixture.author, `author/discard/${id}`);
  const returned = (by: Person) => put(by, `editor/return/id/${id}`, { note: 'Please rewrite.' });
  const publish = () => put(otherEditor, `editor/publish/id/${id}`);
  const unpublish = () => put(otherEditor, `editor/unpublish/id/${id}`);
  const handOver = ({ _id: user }: Person) =>
    done(admin.client.put(`/admin/blogs/id/${id}/author`, { user }));
  const clear = () => done(admin.client.delete(`/admin/blogs/id/${id}/contributors`));
  const rev = async (): Promise<number> => (await storedBlog(fixture.db, id))['rev'] as number;
  async function correct(by = eve): Promise<number> {
    const headers = { 'if-match': `"${await rev()}"` };
    // A correction that changes nothing would be no correction.
    const body = { title: unique('The words of an editor') };
    await done(by.client.put(`/blog/editor/id/${id}`, body, { headers }));
    return rev();
  }
  /** Makes changes one after the other. */
  async function make(...changes: readonly (() => Promise<unknown>)[]): Promise<void> {
    for (const change of changes) await change();
  }
  const restore = (revision: number) => put(fixture.author, `author/restore/id/${id}/${revision}`);
  const objectId = ({ _id }: Person) => new Types.ObjectId(_id);
  /** Makes of the stored blog what an older server would have stored, or an older one beside. */
  const store = (update: mongo.UpdateFilter<mongo.Document>) =>
    fixture.db.collection('blogs').updateOne({ _id: new Types.ObjectId(id) }, update);
  const asBeforeUpgrade = (fields: object = {}) =>
    store({
      $unset: { contributors: 1 },
      $set: { submitters: [objectId(fixture.author)], ...fields },
    });

  const attempt = async ({ client }: Person, path: string, body?: object) => {
    const answer = await client.put(`/blog/editor/${path}/id/${id}`, body);
    return [answer.status, answer.body.reason];
  };
  const publishAt = new Date(Date.now() + DAY).toISOString();

  beforeEach(async () => {
    id = await createdBy(fixture.author);
  });

  /** Each leaves a blog in review that has words of eve, which nobody else has published. */
  const LAUNDERED: Readonly<Record<string, () => Promise<unknown>>> = {
    'corrected it': () => make(submit, correct),
    'corrected and returned it': async () => {
      await make(submit, correct);
      await returned(eve);
      await submit();
    },
    'corrected it, before it was withdrawn and edited twice': () =>
      make(submit, correct, withdraw, edit, submit, withdraw, edit, submit),
    'corrected the edits of a live blog': () =>
      make(submit, publish, edit, submit, correct, withdraw, submit),
    'corrected edits that were discarded and restored': async () => {
      await make(submit, publish, edit, submit);
      const corrected = await correct();
      await make(withdraw, discard);
      await restore(corrected);
      await submit();
    },
    'corrected a revision that is restored after another was published': async () => {
      await submit();
      const corrected = await correct();
      await make(withdraw, edit, submit, publish);
      await restore(corrected);
      await submit();
    },
    'corrected what was published, taken down and submitted again': () =>
      make(submit, correct, publish, unpublish, submit),
    'corrected a blog that was restored from the trash': async () => {
      await make(submit, correct, withdraw);
      await done(fixture.author.client.delete(`/blog/author/id/${id}`));
      await put(fixture.author, `author/undelete/id/${id}`);
      await submit();
    },
    'wrote the draft that was handed over': async () => {
      id = await createdBy(eve);
      await handOver(fixture.author);
      await submit();
    },
    'wrote what was handed over twice, the second time in review': async () => {
      id = await createdBy(eve);
      await handOver(fixture.other);
      await submit(fixture.other);
      await handOver(fixture.author);
    },
    'wrote edits of a live blog that were handed over': async () => {
      id = await createdBy(eve);
      await make(
        () => submit(eve),
        publish,
        () => edit(eve),
      );
      await handOver(fixture.author);
      await submit();
    },
    'corrected it before an ADMIN cleared the list, and again after': () =>
      make(submit, correct, clear, correct),
    'corrected a revision before the upgrade': async () => {
      await make(submit, correct, withdraw, submit);
      await asBeforeUpgrade();
    },
    'corrected what was returned before the upgrade, in a revision no longer kept': async () => {
      await make(submit, correct, withdraw);
      await asBeforeUpgrade({ revisions: [], submitters: [fixture.author, eve].map(objectId) });
      await make(edit, submit);
    },
    'wrote a draft that was handed over before the upgrade': async () => {
      id = await createdBy(eve);
      await asBeforeUpgrade({ author: objectId(fixture.author), submitters: [] });
      await make(edit, submit);
    },
    'corrected it before an older server beside took the next submission': async () => {
      await make(submit, correct, withdraw, submit);
      await store({ $set: { submitters: [objectId(fixture.author)], revisions: [] } });
    },
    'wrote a draft that an older server beside has handed over': async () => {
      id = await createdBy(eve);
      await store({ $set: { author: objectId(fixture.author) } });
      await submit();
    },
    'corrected it by an older server beside': async () => {
      await submit();
      const content = new Types.ObjectId();
      const by = objectId(eve);
      const revision = { rev: await rev(), move: 'correct', by, at: new Date(), content };
      await store({ $push: { revisions: revision }, $set: { submitters: [by] } } as object);
      await make(withdraw, submit);
    },
  };

  it.each(Object.entries(LAUNDERED))(
    'should let another editor publish when an editor %s',
    async (_case, prepare) => {
      await prepare();
      const before = await storedBlog(fixture.db, id);
      expect(await attempt(eve, 'publish')).toEqual(REFUSED);
      expect(await attempt(eve, 'schedule', { publishAt })).toEqual(REFUSED);
      expect(await storedBlog(fixture.db, id)).toEqual(before);
      expect(await attempt(otherEditor, 'publish')).toEqual(ALLOWED);
    },
  );

  /** Each leaves a blog in review that eve may publish. */
  const ALLOWED_CASES: Readonly<Record<string, () => Promise<unknown>>> = {
    'only returned it': async () => {
      await submit();
      await returned(eve);
      await submit();
    },
    'corrected what was published since': () => make(submit, correct, publish, edit, submit),
    'corrected what was published since, before the upgrade': async () => {
      await make(submit, correct, publish, edit, submit);
      await asBeforeUpgrade();
    },
    'wrote a live blog, all of which was published before it was handed over': async () => {
      id = await createdBy(eve);
      await submit(eve);
      await publish();
      await handOver(fixture.author);
      await make(edit, submit);
    },
    'corrected it before an ADMIN cleared the list': () => make(submit, correct, clear),
    'corrected it before the upgrade, and an ADMIN cleared the list': async () => {
      await make(submit, correct, withdraw, submit);
      await asBeforeUpgrade();
      await clear();
    },
    'wrote a handed-over draft, and an ADMIN cleared the list': async () => {
      id = await createdBy(eve);
      await make(() => handOver(fixture.author), submit, clear);
    },
  };

  it.each(Object.entries(ALLOWED_CASES))(
    'should not keep an editor from publishing who %s',
    async (_case, prepare) => {
      await prepare();
      expect(await attempt(eve, 'publish')).toEqual(ALLOWED);
    },
  );

  it('should keep those of the live version from unpublishing it', async () => {
    await make(submit, correct, withdraw, submit, publish, edit, submit);
    const unpublishAt = publishAt;
    const expectRefused = async () => {
      expect(await attempt(eve, 'unpublish')).toEqual(REFUSED);
      expect(await attempt(eve, 'schedule', { unpublishAt })).toEqual(REFUSED);
    };
    await expectRefused();
    // Before the upgrade, `liveSubmitters` lacked the contributors of earlier submissions.
    await asBeforeUpgrade({ liveSubmitters: [objectId(fixture.author)] });
    await expectRefused();
    await clear();
    expect(await attempt(eve, 'schedule', { unpublishAt })).toEqual(ALLOWED);
    expect(await attempt(eve, 'unpublish')).toEqual(ALLOWED);
  });

  it('should be cleared by an ADMIN, so that two editors cannot keep each other from publishing', async () => {
    await submit();
    await correct(eve);
    await correct(otherEditor);
    for (const editor of [eve, otherEditor]) {
      expect(await attempt(editor, 'publish')).toEqual(REFUSED);
    }
    const { updatedAt } = await storedBlog(fixture.db, id);
    await clear();
    const history = await fixture.author.client.get(`/blog/author/history/id/${id}`);
    const { _id, name } = admin;
    expect(history.body.data[0]).toMatchObject({ move: 'clearContributors', by: { _id, name } });
    expect((await storedBlog(fixture.db, id))['updatedAt']).toEqual(updatedAt);
    expect(await attempt(eve, 'publish')).toEqual(ALLOWED);
  });

  it('should never be without the author', async () => {
    id = await createdBy(eve);
    await make(() => submit(eve), clear);
    expect(await attempt(eve, 'publish')).toEqual(REFUSED);
  });
});
