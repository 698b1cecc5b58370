import type { Item, PressroomClient, Reason } from '../../client/src/index.ts';

const path = { id: '66f1a2b3c4d5e6f708192a3b' };

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** `typeOf(value).is<Type>()` compiles only if the value has exactly this type. */
declare function typeOf<Actual>(value: Actual): {
  is<Expected>(...same: Same<Actual, Expected> extends true ? [] : [never]): void;
};

/** Never called: the compiler checks that these calls fit the types, and that the marked calls do not. */
export async function typesOfCalls(client: PressroomClient): Promise<void> {
  const latest = await client.get('/blogs/latest');
  typeOf(latest[0]?.title).is<string | undefined>();
  // @ts-expect-error a list item has no such field
  void latest[0]?.draftText;
  await client.get('/blogs/latest', { query: { limit: 5, order: 'oldest' } });
  // @ts-expect-error there is no such path
  await client.get('/blogs/newest');
  // @ts-expect-error the path has another method
  await client.put('/blogs/latest');
  // @ts-expect-error there is no such parameter
  await client.get('/blogs/latest', { query: { size: 5 } });
  // @ts-expect-error the parameter has another type
  await client.get('/blogs/latest', { query: { limit: '5' } });
  // @ts-expect-error the enumeration has no such value
  await client.get('/blogs/latest', { query: { order: 'best' } });
  // @ts-expect-error q is required
  await client.get('/blogs/search');

  const blog = await client.get('/blog/id/{id}', { path });
  typeOf(blog.author.name).is<string>();
  // @ts-expect-error the id is required
  await client.get('/blog/id/{id}');
  // @ts-expect-error the parameter has another name
  await client.get('/blog/id/{id}', { path: { slug: 'a-slug' } });

  const fields = { title: 'Title', description: 'Description', draftText: '<p>Text</p>' } as const;
  const created = await client.post('/blog/author', { body: { ...fields, tags: ['a'] as const } });
  typeOf(created._id).is<string>();
  // @ts-expect-error the body is required
  await client.post('/blog/author');
  // @ts-expect-error title and text are missing
  await client.post('/blog/author', { body: { description: 'Description' } });
  // @ts-expect-error there is no such field
  await client.post('/blog/author', { body: { ...fields, subtitle: 'Subtitle' } });
  // The body may be left out.
  await client.put('/blog/author/submit/{id}', { path });
  await client.put('/blog/author/submit/{id}', { path, body: { note: 'Done' } });

  await client.put('/blog/author/id/{id}', { path, body: { title: 'Title' }, ifMatch: '"1"' });
  // An editor corrects the revision that ifMatch names.
  await client.put('/blog/editor/id/{id}', { path, body: { title: 'Title' }, ifMatch: '"1"' });
  // @ts-expect-error ifMatch is required
  await client.put('/blog/editor/id/{id}', { path, body: { title: 'Title' } });
  // @ts-expect-error only writes of articles take ifMatch
  await client.put('/profile/mine', { body: { name: 'Name' }, ifMatch: '"1"' });

  for await (const item of client.list('/blogs/tag/{tag}', { path: { tag: 'news' } })) {
    typeOf(item).is<Item<'/blogs/tag/{tag}'>>();
    typeOf(item.slug).is<string>();
  }
  for await (const item of client.list('/blog/editor/submitted')) void item.title;
  // @ts-expect-error the path is no list
  client.list('/blog/id/{id}', { path });
  // @ts-expect-error the list has no pages
  client.list('/admin/apikeys');

  typeOf(await client.delete('/auth/signout')).is<undefined>();
  typeOf(await client.get('/feeds/rss.xml')).is<string>();
  const reason: Reason = 'a reason of a newer server';
  void reason;
}
