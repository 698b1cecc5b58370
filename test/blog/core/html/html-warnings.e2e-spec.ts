import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogBody } from '../../../support/factories.js';
import { openBlogFixture, type BlogFixture } from '../fixture.js';

const UNCLEAN = '<p style="a:b">text</p><iframe src="https://x.example"></iframe>';

const warning = (message: string) => ({ field: 'draftText', message });

describe('the warnings of a write', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const create = (draftText: string) =>
    fixture.author.client.post('/blog/author', blogBody({ draftText }));

  it('should tell what was removed from the text of a new blog and of an edit', async () => {
    const { client } = fixture.author;
    const created = await create(UNCLEAN);
    const warnings = [warning('1 iframe removed'), warning('style on 1 element removed')];
    expect(created.body.warnings).toEqual(warnings);
    const { _id } = created.body.data;
    const byId = await client.put(`/blog/author/id/${_id}`, { draftText: UNCLEAN });
    const named = await client.put('/blog/author', { _id, draftText: UNCLEAN });
    expect([byId.body.warnings, named.body.warnings]).toEqual([warnings, warnings]);
  });

  it('should come back from the thread that cleans a long text', async () => {
    const { body } = await create(UNCLEAN.repeat(100));
    expect(body.warnings).toEqual([
      warning('100 iframe removed'),
      warning('style on 100 elements removed'),
    ]);
  });

  it('should tell that all tags became plain text', async () => {
    const { body } = await create(`${'<b>'.repeat(513)}a`);
    expect(body.warnings).toEqual([
      warning(expect.stringContaining('became plain text') as unknown as string),
    ]);
  });

  it('should be left out where nothing was removed, and where no text was sent', async () => {
    const created = await create('<p class="a" id="b" data-c="d">e<!-- f --><br></p>');
    expect(created.body).not.toHaveProperty('warnings');
    const path = `/blog/author/id/${created.body.data._id}`;
    const { client } = fixture.author;
    expect((await client.put(path, { title: 'Another' })).body).not.toHaveProperty('warnings');
    expect((await client.put(path, {})).body).not.toHaveProperty('warnings');
    expect((await client.get(path)).body).not.toHaveProperty('warnings');
  });
});
