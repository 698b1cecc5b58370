import { beforeAll, describe, expect, it } from '@jest/globals';
import { openBlogFixture, type BlogFixture } from '../../blog/core/fixture.js';
import { relay } from '../../blog/history/stored-events.js';
import { BLOG_READS } from '../../routes/reads.js';
import {
  blogIn,
  PASSWORD,
  person,
  unique,
  type BlogInState,
  type Person,
} from '../../support/factories.js';

/** An answer in the cache of the CDN. */
interface CachedAnswer {
  readonly etag: string;
  readonly tags: readonly string[];
}

const READS = BLOG_READS.filter(({ isCached }) => isCached);

/** The ETags of answers are compared, and a compressed answer has another ETag. */
const PLAIN = { headers: { 'accept-encoding': 'identity' } };

describe('a CDN that purges what the events name', () => {
  let fixture: BlogFixture;
  let admin: Person;
  let author: Person;
  let blogs: readonly [BlogInState, BlogInState, BlogInState];
  const cache = new Map<string, CachedAnswer>();
  let seq = 0;

  beforeAll(async () => {
    fixture = await openBlogFixture({ env: { PUBLIC_CACHE: '10m' } });
    admin = await person(fixture, 'ADMIN');
    author = await person(fixture, 'AUTHOR');
    const { other, editor } = fixture;
    const shared = unique('shared');
    blogs = [
      await blogIn('live', author, editor, { tags: [shared, unique('one')] }),
      await blogIn('live', author, editor, { tags: [shared] }),
      await blogIn('live', other, editor, { tags: [unique('other')] }),
    ];
    await fill();
    await purge();
    await fill();
  });

  /** The paths of every public read of every blog, of the authors and of the tags. */
  function paths(): string[] {
    const authorOf = (blog: BlogInState) => (blog === blogs[2] ? fixture.other : author);
    return [
      ...new Set([
        ...blogs.flatMap((blog) =>
          READS.flatMap(({ pathTo }) => [
            pathTo({ ...blog, author: authorOf(blog), similarBlog: blog }),
            pathTo({ ...blog, body: blog.pending, author: authorOf(blog), similarBlog: blog }),
          ]),
        ),
        ...[author, fixture.other].map(({ _id }) => `/authors/id/${_id}`),
        '/tags',
        '/tags?order=name',
      ]),
    ];
  }

  async function fill(): Promise<void> {
    for (const path of paths()) {
      if (cache.has(path)) continue;
      const { status, headers } = await fixture.client.get(path, PLAIN);
      if (status !== 200) continue;
      const tags = headers.get('cache-tag')?.split(',') ?? [];
      cache.set(path, { etag: String(headers.get('etag')), tags });
    }
  }

  async function purge(): Promise<void> {
    await relay(fixture);
    const { body } = await admin.client.get(`/admin/events?limit=100&after=${seq}`);
    for (const event of body.data) {
      seq = event.seq;
      const tagsToPurge = new Set<string>(event.data.cacheTags ?? []);
      for (const [path, { tags }] of cache) {
        if (tags.some((tag) => tagsToPurge.has(tag))) cache.delete(path);
      }
    }
  }

  const edit = (id: string, changes: object) => author.client.put(`/blog/author/id/${id}`, changes);
  const publish = async (id: string) => {
    await author.client.put(`/blog/author/submit/${id}`);
    return fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
  };

  const CHANGES: readonly (readonly [string, () => Promise<{ status: number }>])[] = [
    [
      'a new title',
      async () => {
        await edit(blogs[0]._id, { title: unique('A title') });
        return publish(blogs[0]._id);
      },
    ],
    [
      'a new slug and new tags',
      async () => {
        await edit(blogs[0]._id, { slug: blogs[0].pending.slug, tags: blogs[0].pending.tags });
        return publish(blogs[0]._id);
      },
    ],
    ['a new name of the author', () => author.client.put('/profile/mine', { name: 'New name' })],
    [
      'a handover to another author',
      () => admin.client.put(`/admin/blogs/id/${blogs[1]._id}/author`, { user: fixture.other._id }),
    ],
    [
      'an unpublication',
      () => fixture.editor.client.put(`/blog/editor/unpublish/id/${blogs[1]._id}`),
    ],
    ['a deletion', () => fixture.other.client.delete(`/blog/author/id/${blogs[2]._id}`)],
    [
      'the deletion of the account',
      () => author.client.delete('/profile/mine', { body: { password: PASSWORD } }),
    ],
  ];

  it('should keep the other articles of the author after an edit', async () => {
    await edit(blogs[0]._id, { title: unique('An edit') });
    await publish(blogs[0]._id);
    await purge();
    expect(cache.has(`/blog/id/${blogs[0]._id}`)).toBe(false);
    expect(cache.has(`/blog/id/${blogs[1]._id}`)).toBe(true);
    expect(cache.has(`/blogs/author/id/${author._id}`)).toBe(false);
    await fill();
  });

  it.each(CHANGES)('should keep nothing that is out of date after %s', async (_what, change) => {
    expect(cache.size).toBeGreaterThan(5);
    expect((await change()).status).toBe(200);
    const before = cache.size;
    await purge();
    expect(cache.size).toBeLessThan(before);
    for (const [path, { etag }] of cache) {
      const { status, headers } = await fixture.client.get(path, PLAIN);
      expect([path, status, headers.get('etag')]).toEqual([path, 200, etag]);
    }
    await fill();
  });
});
