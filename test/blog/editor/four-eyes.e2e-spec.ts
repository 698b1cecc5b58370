import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import { SetupService } from '../../../src/cli/setup/setup.service.js';
import { MINUTE } from '../../support/time/clock.js';
import { openBlogFixture, storeCopies, storedBlog, type BlogFixture } from '../core/fixture.js';
import {
  dueBlog,
  eventsSinceScheduled,
  runDueTransitions,
  runnerLog,
  schedule,
} from '../schedule/fixture.js';
import { blogIn, PASSWORD, person, type Person, type State } from '../../support/factories.js';

const refusal = (participle: string): string =>
  `blog cannot be ${participle} by its author or a contributor: another editor does it`;

/** The number of copies of a blog: with the blog itself, one more than a batch of the schedule runner (20). */
const COPIES = 20;

describe('FOUR_EYES=on', () => {
  let fixture: BlogFixture;
  /** A user who is author and editor. */
  let authorEditor: Person;
  let editor: Person;

  /** How many warnings had been logged after each of three starts; a second editor was added before the third. */
  const warningCounts: number[] = [];

  beforeAll(async () => {
    fixture = await openBlogFixture({ env: { FOUR_EYES: 'on' } });
    ({ editor } = fixture);
    const { log, app } = fixture;
    const warnings = () => log.filter((line) => line.includes('needs a second enabled editor'));
    warningCounts.push(warnings().length);
    await app.get(SetupService).prepare();
    warningCounts.push(warnings().length);
    authorEditor = await person(fixture, 'AUTHOR', 'EDITOR');
    await app.get(SetupService).prepare();
    warningCounts.push(warnings().length);
  });

  it('should warn at each start with fewer than two enabled editors, but start', () => {
    expect(warningCounts).toEqual([1, 2, 2]);
  });

  const idOfOwnBlogIn = async (state: State): Promise<string> =>
    (await blogIn(state, authorEditor, editor))._id;
  const put = async (who: Person, path: string, body?: object, headers = {}) => {
    const { status, body: answer } = await who.client.put(`/blog/editor/${path}`, body, {
      headers,
    });
    return [status, answer.message];
  };
  const ok = (participle: string) => [200, `blog ${participle} successfully`];

  it('should let only another editor publish and unpublish', async () => {
    const id = await idOfOwnBlogIn('in review');
    const before = await storedBlog(fixture.db, id);
    expect(await put(authorEditor, `publish/id/${id}`)).toEqual([400, refusal('published')]);
    expect(await storedBlog(fixture.db, id)).toEqual(before);
    expect(await put(editor, `publish/id/${id}`)).toEqual(ok('published'));
    expect(await put(authorEditor, `unpublish/id/${id}`)).toEqual([400, refusal('unpublished')]);
    expect(await put(editor, `unpublish/id/${id}`)).toEqual(ok('unpublished'));
  });

  it('should count an editor who corrected a blog as a submitter, also of the live version', async () => {
    const { _id } = await blogIn('in review', fixture.author, editor);
    const etag = (await editor.client.get(`/blog/editor/id/${_id}`)).headers.get('etag') ?? '';
    expect(await put(editor, `id/${_id}`, { title: 'Corrected' }, { 'if-match': etag })).toEqual(
      ok('corrected'),
    );
    expect(await put(editor, `publish/id/${_id}`)).toEqual([400, refusal('published')]);
    expect(await put(authorEditor, `publish/id/${_id}`)).toEqual(ok('published'));
    expect(await put(editor, `unpublish/id/${_id}`)).toEqual([400, refusal('unpublished')]);
    // The editor is no submitter of the new submission, but still one of the live version.
    await fixture.author.client.put(`/blog/author/id/${_id}`, { title: 'Edited' });
    await fixture.author.client.put(`/blog/author/submit/${_id}`);
    expect(await put(editor, `unpublish/id/${_id}`)).toEqual([400, refusal('unpublished')]);
    expect(await put(editor, `publish/id/${_id}`)).toEqual(ok('published'));
    expect(await put(editor, `unpublish/id/${_id}`)).toEqual(ok('unpublished'));
  });

  it('should not keep anyone from deleting their account', async () => {
    await person(fixture, 'ADMIN');
    const leaver = await person(fixture, 'AUTHOR', 'EDITOR');
    const { _id } = await blogIn('live in review', leaver, editor);
    const body = { password: PASSWORD };
    expect((await leaver.client.delete('/profile/mine', { body })).status).toBe(200);
    expect((await fixture.client.get(`/blog/id/${_id}`)).status).toBe(200);
  });

  it('should give up a due transition if the editor who scheduled it is now the author, and make the others', async () => {
    const { author, db } = fixture;
    const first = await dueBlog(fixture, 'live');
    // The editor becomes the author of the scheduled blog.
    const newAuthor = new Types.ObjectId(editor._id);
    await fixture.app.get(BlogTransitionService).apply('handOver', {
      id: new Types.ObjectId(first),
      actor: newAuthor,
      ifMatch: null,
      details: { newAuthor },
    });
    const { live } = await storedBlog(db, first);
    const copies = Array(COPIES).fill((slug: string) => ({ live: { ...live, slug } }));
    const refused = [first, ...(await storeCopies(db, first, copies))];
    const { _id } = await blogIn('live', author, editor);
    await schedule(fixture, _id, { unpublish: -MINUTE });
    const transitionsOf = async (id: string): Promise<string[]> =>
      (await eventsSinceScheduled(db, id)).map(({ move: transition }) => transition);
    await runDueTransitions(fixture);
    expect(await transitionsOf(_id)).toEqual(['unpublish']);
    for (const id of refused) {
      expect(await transitionsOf(id)).toEqual(['handOver', 'unschedule']);
      const blog = await storedBlog(db, id);
      expect(blog).toMatchObject({ published: true });
      expect([blog['schedule'], blog['dueAt']]).toEqual([undefined, undefined]);
    }
    await runDueTransitions(fixture);
    const warnings = runnerLog(fixture).filter(({ level }) => level === 40);
    expect(warnings.map(({ msg }) => msg).sort()).toEqual(
      refused
        .map(
          (id) =>
            `blog ${id}: the scheduled unpublish was given up: blog cannot be unpublished by its ` +
            'author or a contributor: another editor does it',
        )
        .sort(),
    );
  });
});
