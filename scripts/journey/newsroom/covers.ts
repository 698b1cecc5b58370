import { drawnCover } from '../../../src/cli/setup/demo/drawing/drawn-cover.ts';
import type { People, WritingRun } from '../people.ts';

/**
 * Gives a new article a cover, and checks that readers see the picture, in each of its sizes, while the article is live
 * and at no other time.
 */
export async function giveCover(
  { client, recorder, id: runId }: WritingRun,
  { author, editor }: People,
): Promise<void> {
  const step = 'give an article a cover';
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(drawnCover(runId))]), 'cover.png');
  form.set('alt', 'Discs on a plain ground');
  const media = await client.call(step, 'POST', '/media', { as: author.session, body: form });
  const created = await client.call(step, 'POST', '/blog/author', {
    as: author.session,
    body: {
      title: 'An article with a cover',
      description: 'It shows a picture.',
      draftText: '<p>See above.</p>',
      cover: { media: media.data._id },
    },
  });
  const { _id: id, cover, imgUrl } = created.data;
  recorder.check(step, cover?.alt === 'Discs on a plain ground', 'alt is not that of the library');
  const signed = cover?.url ?? '';
  // A server in production without PUBLIC_URL gives paths, which imgUrl cannot be.
  const filled = signed.startsWith('/') ? undefined : signed;
  recorder.check(step, imgUrl === filled, 'imgUrl is not filled from the cover');
  const plain = signed.replace(/\?.*$/, '');
  await client.checkPicture(step, signed, 200);
  await client.checkPicture(step, plain, 404);

  const path = { id };
  await client.call(step, 'PUT', '/blog/author/submit/{id}', { as: author.session, path });
  await client.call(step, 'PUT', '/blog/editor/publish/id/{id}', { as: editor.session, path });
  const { data } = await client.call(step, 'GET', '/blog/id/{id}', { path });
  const sizes = data.cover?.sources.flatMap(({ srcset }) => srcset.split(', ')) ?? [];
  recorder.check(step, sizes.length > 4, `the cover has ${sizes.length} sizes`);
  for (const size of sizes) await client.checkPicture(step, size.split(' ', 1).join(''), 200);
  await client.call(step, 'PUT', '/blog/editor/unpublish/id/{id}', { as: editor.session, path });
  await client.checkPicture(step, plain, 404);
  await client.call(step, 'DELETE', '/blog/author/id/{id}', { as: author.session, path });
}
