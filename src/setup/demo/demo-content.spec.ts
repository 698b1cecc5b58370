import { describe, expect, it } from '@jest/globals';
import { BLOG_STATES } from '../../blog/blog.state.js';
import { cleanHtml } from '../../blog/html/clean-html.js';
import { isUsableSlug, normalizeSlug } from '../../blog/text/slug.js';
import { DEMO_BLOGS } from './demo-content.js';
import { DEMO_PEOPLE } from './demo-people.js';

const EDITED_STATES = ['live with draft', 'live in review'];

describe('demo content', () => {
  // The input classes hold these bounds; the services, which the seed calls, trust their callers.
  it.each(DEMO_BLOGS)('should hold an article within the bounds of the API: $slug', (blog) => {
    const { title, description, draftText, slug, tags, edit = {} } = blog;
    expect(normalizeSlug(slug)).toBe(slug);
    expect(isUsableSlug(slug)).toBe(true);
    const created = { title, description, draftText, tags };
    for (const version of [created, { ...created, ...edit }]) {
      expect(version.title).toMatch(/^\S.{1,498}\S$/);
      expect(version.description).toMatch(/^\S.{1,1998}\S$/);
      expect(version.tags.length).toBeLessThanOrEqual(20);
      for (const tag of version.tags) expect(tag).toMatch(/^\S(?:.{0,48}\S)?$/);
      expect(cleanHtml(version.draftText)).toBe(version.draftText);
    }
  });

  it('should have an edit exactly in the states that follow one', () => {
    const edited = DEMO_BLOGS.filter(({ edit }) => edit !== undefined);
    expect(edited).toEqual(DEMO_BLOGS.filter(({ state }) => EDITED_STATES.includes(state)));
  });

  it('should show all five states, by authors, under slugs of their own', () => {
    const states = new Set(DEMO_BLOGS.map(({ state }) => state));
    expect([...states].sort()).toEqual(Object.keys(BLOG_STATES).sort());
    for (const { author } of DEMO_BLOGS) expect(DEMO_PEOPLE[author].roles).toContain('AUTHOR');
    expect(new Set(DEMO_BLOGS.map(({ slug }) => slug)).size).toBe(DEMO_BLOGS.length);
  });
});
