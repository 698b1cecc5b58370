import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { PreviewKind } from '../../../src/blog/previews/blog-preview.schema.js';
import type { RoleCode } from '../../../src/platform/http/access/role-code.js';
import { blogBody, blogIn, PASSWORD, person, type Person } from '../../support/factories.js';
import { newPreview } from '../../support/previews.js';
import { startApp, type TestApp } from '../../support/start-app.js';

type Someone = Pick<Person, '_id' | 'client'>;

/** A blog in review, and the people whose actions end a preview of it. */
interface Scene {
  readonly id: string;
  readonly author: Someone;
  readonly editor: Someone;
  /** The person who made the preview. */
  readonly issuer: Someone;
}

describe('An open preview', () => {
  let server: TestApp;
  /** Another server on the same database, which makes none of the changes. */
  let second: TestApp;
  let admin: Someone;

  beforeAll(async () => {
    server = await startApp();
    second = await startApp({ uri: server.uri });
    admin = await someone('ADMIN');
  });

  const someone = (...roles: readonly RoleCode[]): Promise<Someone> => person(server, ...roles);

  async function openScene(kind: PreviewKind): Promise<Scene & { readonly token: string }> {
    const author = await someone('AUTHOR');
    const editor = await someone('EDITOR');
    const { _id: id } = await blogIn('live in review', author, editor);
    const issuer = { author, editor }[kind];
    return { id, author, editor, issuer, token: await newPreview(issuer, kind, id) };
  }

  const statuses = (token: string): Promise<number[]> =>
    Promise.all(
      [server, second].map(async ({ client }) => {
        return (await client.get(`/blog/preview/${token}`)).status;
      }),
    );

  const expectDone = async (answer: Promise<{ readonly status: number }>): Promise<void> =>
    expect((await answer).status).toBe(200);

  const trash = ({ author, id }: Scene) =>
    expectDone(author.client.delete(`/blog/author/id/${id}`));

  const undelete = ({ author, id }: Scene) =>
    expectDone(author.client.put(`/blog/author/undelete/id/${id}`));

  const handOver = ({ id }: Scene, { _id: user }: Someone) =>
    expectDone(admin.client.put(`/admin/blogs/id/${id}/author`, { user }));

  const setEnabled = ({ issuer }: Scene, enabled: boolean) =>
    expectDone(admin.client.put(`/admin/users/id/${issuer._id}/status`, { enabled }));

  const setRoles = ({ issuer }: Scene, roles: readonly string[]) =>
    expectDone(admin.client.put(`/admin/users/id/${issuer._id}/roles`, { roles }));

  const inDatabase = async (collection: string, id: string, $set: object): Promise<void> => {
    const filter = { _id: new Types.ObjectId(id) };
    const { modifiedCount } = await server.db.collection(collection).updateOne(filter, { $set });
    expect(modifiedCount).toBe(1);
  };

  const ENDINGS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
    'the author ends all previews': ({ author, id }) =>
      expectDone(author.client.delete(`/blog/author/preview/id/${id}`)),
    'an editor ends all previews': ({ editor, id }) =>
      expectDone(editor.client.delete(`/blog/editor/preview/id/${id}`)),
    'the blog goes to the trash': trash,
    'the blog goes to the trash and is restored': async (scene) => {
      await trash(scene);
      await undelete(scene);
      await expectDone(scene.author.client.get(`/blog/author/id/${scene.id}`));
      await expectDone(scene.author.client.put(`/blog/author/submit/${scene.id}`));
    },
    'the blog is handed over': async (scene) => handOver(scene, await someone('AUTHOR')),
    'the blog is handed over and back': async (scene) => {
      await handOver(scene, await someone('AUTHOR'));
      await handOver(scene, scene.author);
      await expectDone(scene.author.client.get(`/blog/author/id/${scene.id}`));
    },
    'the author deletes the account': ({ author }) =>
      expectDone(author.client.delete('/profile/mine', { body: { password: PASSWORD } })),
    'the issuer deletes the account': ({ issuer }) =>
      expectDone(issuer.client.delete('/profile/mine', { body: { password: PASSWORD } })),
    'the issuer is disabled': (scene) => setEnabled(scene, false),
    'the issuer gets all roles but the needed one': (scene) =>
      setRoles(scene, ['LEARNER', 'ADMIN', scene.issuer === scene.author ? 'EDITOR' : 'AUTHOR']),
    'an operator deletes the blog': ({ id }) => inDatabase('blogs', id, { status: false }),
    'an operator disables the issuer': ({ issuer }) =>
      inDatabase('users', issuer._id, { status: false }),
  };

  describe.each(['author', 'editor'] as const)('made by an %s', (kind) => {
    let otherToken: string;

    beforeAll(async () => {
      otherToken = (await openScene(kind)).token;
    });

    it.each(Object.entries(ENDINGS))('should end on every server when %s', async (_label, end) => {
      const scene = await openScene(kind);
      expect(await statuses(scene.token)).toEqual([200, 200]);
      await end(scene);
      // No wait is needed: previews are not cached, so they end before the change is answered.
      expect(await statuses(scene.token)).toEqual([404, 404]);
      expect(await statuses(otherToken)).toEqual([200, 200]);
    });
  });

  it.each([
    ['gives the blog to another author', () => ({ author: new Types.ObjectId() })],
    ['marks the author as gone', () => ({ authorLeft: true })],
  ])('should end when an operator %s, if the author made the preview', async (_label, change) => {
    const { id, token } = await openScene('author');
    await inDatabase('blogs', id, change());
    expect(await statuses(token)).toEqual([404, 404]);
  });

  it.each([
    ['author/withdraw/', undefined, 404],
    ['editor/return/id/', { note: 'Say where the numbers are from.' }, 404],
    ['editor/publish/id/', undefined, 404],
    ['editor/id/', { title: 'A corrected title' }, 200],
    ['editor/assign/id/', { editor: null }, 200],
  ])('should last as long as the review if an editor made it: %s', async (path, body, status) => {
    const { id, token, author, editor } = await openScene('editor');
    const { client } = path.startsWith('author') ? author : editor;
    await expectDone(client.put(`/blog/${path}${id}`, body, { headers: { 'if-match': '*' } }));
    expect(await statuses(token)).toEqual([status, status]);
  });

  it('should show an edit after a withdrawal only once it is submitted', async () => {
    const { id, token, author } = await openScene('editor');
    const { title } = blogBody();
    await expectDone(author.client.put(`/blog/author/withdraw/${id}`));
    await expectDone(author.client.put(`/blog/author/id/${id}`, { title }));
    expect(await statuses(token)).toEqual([404, 404]);
    await expectDone(author.client.put(`/blog/author/submit/${id}`));
    expect((await server.client.get(`/blog/preview/${token}`)).body.data.title).toBe(title);
  });

  it('should not end when the issuer signs out, changes the name or gets a role', async () => {
    const scene = await openScene('author');
    await expectDone(scene.issuer.client.put('/profile/mine', { name: 'Ada King' }));
    await setRoles(scene, ['LEARNER', 'AUTHOR', 'EDITOR']);
    await expectDone(scene.issuer.client.delete('/auth/signout'));
    expect(await statuses(scene.token)).toEqual([200, 200]);
  });

  it('should stay ended although a crash has left its record', async () => {
    const scene = await openScene('author');
    const records = server.db.collection<{ _id: string }>('blog_previews');
    const stored = await records.find({ blog: new Types.ObjectId(scene.id) }).toArray();
    await scene.author.client.delete(`/blog/author/preview/id/${scene.id}`);
    await records.insertMany(stored);
    expect(await statuses(scene.token)).toEqual([404, 404]);
  });
});
