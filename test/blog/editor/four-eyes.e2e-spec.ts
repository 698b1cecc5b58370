import { beforeAll, describe, expect, it } from '@jest/globals';
import { SetupService } from '../../../src/cli/setup/setup.service.js';
import { openBlogFixture, storedBlog, type BlogFixture, person } from '../core/fixture.js';
import { blogIn, PASSWORD, type Person, type State } from '../../support/factories.js';

const REFUSED = (participle: string): string =>
  `blog cannot be ${participle} by its author or submitter: another editor does it`;

describe('FOUR_EYES=on', () => {
  let fixture: BlogFixture;
  /** Writes and edits. */
  let both: Person;
  let editor: Person;

  /** How often it was warned after starts with one editor, and after one with two. */
  const warned: number[] = [];

  beforeAll(async () => {
    fixture = await openBlogFixture({ env: { FOUR_EYES: 'on' } });
    ({ editor } = fixture);
    const { log, app } = fixture;
    const warnings = () => log.filter((line) => line.includes('needs a second enabled editor'));
    warned.push(warnings().length);
    await app.get(SetupService).prepare();
    warned.push(warnings().length);
    both = await person(fixture, 'AUTHOR', 'EDITOR');
    await app.get(SetupService).prepare();
    warned.push(warnings().length);
  });

  it('should warn at the start unless there are two enabled editors, and start nevertheless', () => {
    expect(warned).toEqual([1, 2, 2]);
  });

  const own = async (state: State): Promise<string> => (await blogIn(state, both, editor))._id;
  const put = async (who: Person, path: string, body?: object, headers = {}) => {
    const { status, body: answer } = await who.client.put(`/blog/editor/${path}`, body, {
      headers,
    });
    return [status, answer.message];
  };
  const ok = (participle: string) => [200, `blog ${participle} successfully`];

  it('should let another editor publish and unpublish', async () => {
    const id = await own('in review');
    const before = await storedBlog(fixture.db, id);
    expect(await put(both, `publish/id/${id}`)).toEqual([400, REFUSED('published')]);
    expect(await storedBlog(fixture.db, id)).toEqual(before);
    expect(await put(editor, `publish/id/${id}`)).toEqual(ok('published'));
    expect(await put(both, `unpublish/id/${id}`)).toEqual([400, REFUSED('unpublished')]);
    expect(await put(editor, `unpublish/id/${id}`)).toEqual(ok('unpublished'));
  });

  it('should count who corrected as a submitter, of what is live as well', async () => {
    const { _id } = await blogIn('in review', fixture.author, editor);
    const etag = (await editor.client.get(`/blog/editor/id/${_id}`)).headers.get('etag') ?? '';
    expect(await put(editor, `id/${_id}`, { title: 'Corrected' }, { 'if-match': etag })).toEqual(
      ok('corrected'),
    );
    expect(await put(editor, `publish/id/${_id}`)).toEqual([400, REFUSED('published')]);
    expect(await put(both, `publish/id/${_id}`)).toEqual(ok('published'));
    expect(await put(editor, `unpublish/id/${_id}`)).toEqual([400, REFUSED('unpublished')]);
    // A new submission without a correction is not the editor's, but what is live still is.
    await fixture.author.client.put(`/blog/author/id/${_id}`, { title: 'Edited' });
    await fixture.author.client.put(`/blog/author/submit/${_id}`);
    expect(await put(editor, `unpublish/id/${_id}`)).toEqual([400, REFUSED('unpublished')]);
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
});
