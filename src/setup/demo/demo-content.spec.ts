import { describe, expect, it } from '@jest/globals';
import { BLOG_FIELDS } from '../../blog/blog-fields.js';
import { BLOG_STATES } from '../../blog/blog.state.js';
import { cleanHtml } from '../../blog/html/clean-html.js';
import { isUsableSlug, normalizeSlug } from '../../blog/text/slug.js';
import { hasLength, type Bounds } from '../../common/validation/text-length.js';
import { DEMO_BLOGS } from './demo-content.js';
import { DEMO_PEOPLE } from './demo-people.js';

function isTrimmedWithin(text: string, bounds: Bounds): boolean {
  return text.trim() === text && hasLength(text, bounds);
}

const EDITED_STATES = ['live with draft', 'live in review'];

describe('demo content', () => {
  // The demo calls the services, which do not check the bounds of request bodies.
  it.each(DEMO_BLOGS)('should hold an article within the bounds of the API: $slug', (blog) => {
    expect(normalizeSlug(blog.slug)).toBe(blog.slug);
    expect(isUsableSlug(blog.slug)).toBe(true);
    const { title, description, tags: tagBounds } = BLOG_FIELDS;
    for (const version of [blog, { ...blog, ...blog.edit }]) {
      const { tags = [] } = version;
      expect(isTrimmedWithin(version.title, title)).toBe(true);
      expect(isTrimmedWithin(version.description, description)).toBe(true);
      expect(tags.length).toBeLessThanOrEqual(tagBounds.items);
      expect(tags.filter((tag) => !isTrimmedWithin(tag, tagBounds))).toEqual([]);
      expect(cleanHtml(version.draftText)).toBe(version.draftText);
    }
  });

  it('should have an edit exactly in the states that need one', () => {
    const edited = DEMO_BLOGS.filter(({ edit }) => edit !== undefined);
    expect(edited).toEqual(DEMO_BLOGS.filter(({ state }) => EDITED_STATES.includes(state)));
  });

  it('should have articles in all five states, by authors, with unique slugs', () => {
    const states = new Set(DEMO_BLOGS.map(({ state }) => state));
    expect([...states].sort()).toEqual(Object.keys(BLOG_STATES).sort());
    for (const { author } of DEMO_BLOGS) expect(DEMO_PEOPLE[author].roles).toContain('AUTHOR');
    expect(new Set(DEMO_BLOGS.map(({ slug }) => slug)).size).toBe(DEMO_BLOGS.length);
  });
});
