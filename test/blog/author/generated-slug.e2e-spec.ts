import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogBody, unique } from '../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

interface Draft {
  readonly id: string;
  /** The end of the titles and slugs of this case. */
  readonly end: string;
  readonly put: (path: string, body?: object) => Promise<string>;
}

const author = () => fixture.author.client;

async function draft(given: { readonly slug?: string } = {}): Promise<Draft> {
  const end = unique('x');
  const { slug: _, ...body } = blogBody({ title: `One ${end}` });
  const { data } = (await author().post('/blog/author', { ...body, ...given })).body;
  const id: string = data._id;
  const put = async (path: string, changes?: object): Promise<string> => {
    const { status, body: answer } = await author().put(`/blog/author/${path}/${id}`, changes);
    expect([path, status]).toEqual([path, 200]);
    return answer.data.slug;
  };
  return { id, end, put };
}

const edit = ({ put }: Draft, changes: object) => put('id', changes);

/** What happens to a draft before its title becomes `Two`, and which slug it has then. */
const CASES: readonly {
  readonly label: string;
  readonly before?: (blog: Draft) => Promise<unknown>;
  readonly edits?: (end: string) => object;
  readonly slug: (end: string) => string;
}[] = [
  { label: 'only the title is sent', slug: (end) => `two-${end}` },
  {
    label: 'the present slug is repeated',
    edits: (end) => ({ slug: `one-${end}` }),
    slug: (end) => `two-${end}`,
  },
  {
    label: 'the present slug is repeated in another spelling',
    edits: (end) => ({ slug: ` ONE--${end} ` }),
    slug: (end) => `two-${end}`,
  },
  {
    label: 'another slug is given',
    edits: (end) => ({ slug: `given-${end}` }),
    slug: (end) => `given-${end}`,
  },
  {
    label: 'another slug was given before',
    before: (blog) => edit(blog, { slug: `given-${blog.end}` }),
    slug: (end) => `given-${end}`,
  },
  {
    label: 'another slug was given and taken back',
    before: async (blog) => {
      await edit(blog, { slug: `given-${blog.end}` });
      await edit(blog, { slug: `one-${blog.end}` });
    },
    slug: (end) => `one-${end}`,
  },
  {
    label: 'the slug has followed another title before',
    before: (blog) => edit(blog, { title: `Between ${blog.end}` }),
    slug: (end) => `two-${end}`,
  },
  {
    label: 'other fields were edited, or nothing',
    before: async (blog) => {
      await edit(blog, { description: 'Another one', slug: `one-${blog.end}` });
      await edit(blog, {});
      await edit(blog, { title: `One ${blog.end}` });
    },
    slug: (end) => `two-${end}`,
  },
  {
    label: 'another blog has the slug of the new title',
    before: ({ end }) => author().post('/blog/author', blogBody({ slug: `two-${end}` })),
    slug: (end) => `two-${end}-2`,
  },
  {
    label: 'other blogs have the slugs of the new title',
    before: async ({ end }) => {
      for (const slug of [`two-${end}`, `two-${end}-2`]) {
        await author().post('/blog/author', blogBody({ slug }));
      }
    },
    slug: (end) => `two-${end}-3`,
  },
  {
    label: 'it was submitted and withdrawn',
    before: async ({ put }) => {
      await put('submit');
      await put('withdraw');
    },
    slug: (end) => `one-${end}`,
  },
  {
    label: 'it is live',
    before: async ({ id, put }) => {
      await put('submit');
      await fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
    },
    slug: (end) => `one-${end}`,
  },
  {
    label: 'it was in the trash',
    before: async ({ id, put }) => {
      await author().delete(`/blog/author/id/${id}`);
      await put('undelete/id');
    },
    slug: (end) => `two-${end}`,
  },
  {
    label: 'it was in the trash, and another blog has got its slug',
    before: async ({ id, end, put }) => {
      await author().delete(`/blog/author/id/${id}`);
      await author().post('/blog/author', blogBody({ slug: `one-${end}` }));
      expect(await put('undelete/id')).toBe(`one-${end}-2`);
    },
    slug: (end) => `two-${end}`,
  },
  {
    label: 'it was stored by an older version',
    before: ({ end }) =>
      fixture.db
        .collection('blogs')
        .updateOne({ slug: `one-${end}` }, { $unset: { generatedSlug: 1 } }),
    slug: (end) => `one-${end}`,
  },
  {
    label: 'an older server has stored another slug',
    before: ({ end }) => {
      const $set = { slug: `older-${end}`, slugs: [`older-${end}`] };
      return fixture.db.collection('blogs').updateOne({ slug: `one-${end}` }, { $set });
    },
    slug: (end) => `older-${end}`,
  },
];

describe('the slug of a blog whose title is edited', () => {
  it.each(CASES)('if $label', async ({ before, edits, slug }) => {
    const blog = await draft();
    await before?.(blog);
    const { end, id } = blog;
    expect(await edit(blog, { title: `Two ${end}`, ...edits?.(end) })).toBe(slug(end));
    expect((await storedBlog(fixture.db, id)).slugs).toContain(slug(end));
  });

  it('should stay if it was given on creation, also if it is the one of the title', async () => {
    const slug = unique('given');
    const blog = await draft({ slug });
    expect(await edit(blog, { title: 'Two' })).toBe(slug);
  });

  it('should keep its ending if the title is repeated', async () => {
    const blog = await draft();
    const { slug: _, ...body } = blogBody({ title: `One ${blog.end}` });
    const { data } = (await author().post('/blog/author', body)).body;
    const repeated = await author().put(`/blog/author/id/${data._id}`, body);
    expect(repeated.body.data.slug).toBe(`one-${blog.end}-2`);
  });

  it('should not be one that the root of the site needs', async () => {
    const blog = await draft();
    expect(await edit(blog, { title: 'robots.txt' })).toMatch(/^robots\.txt-/);
  });

  it('should not follow if the slug that is given is taken', async () => {
    const [blog, other] = [await draft(), await draft()];
    const changes = { title: 'Two', slug: `one-${other.end}` };
    const { status, body } = await author().put(`/blog/author/id/${blog.id}`, changes);
    expect([status, body.message]).toEqual([
      400,
      `blog with slug: one-${other.end} already exists`,
    ]);
    expect((await storedBlog(fixture.db, blog.id)).slug).toBe(`one-${blog.end}`);
  });

  it('should differ for drafts that get the same title at the same time', async () => {
    const blogs = await Promise.all([1, 2, 3, 4].map(() => draft()));
    const end = unique('same');
    const slugs = await Promise.all(blogs.map((blog) => edit(blog, { title: end })));
    expect(slugs.toSorted()).toEqual([end, `${end}-2`, `${end}-3`, `${end}-4`]);
  });
});
