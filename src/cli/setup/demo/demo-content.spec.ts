import { describe, expect, it } from '@jest/globals';
import { BLOG_FIELDS } from '../../../blog/core/blog-fields.js';
import { EDITED_STATES } from '../../../blog/core/blog.state.js';
import { cleanHtml } from '../../../blog/core/html/clean-html.js';
import { isUsableSlug, normalizeSlug } from '../../../blog/core/text/slug.js';
import { hasLength, type Bounds } from '../../../platform/http/validation/text-length.js';
import { stepsOf } from './demo-blog.js';
import { DEMO_BLOGS } from './demo-content.js';
import { DEMO_PEOPLE } from './demo-people.js';

function isTrimmedWithin(text: string, bounds: Bounds): boolean {
  return text.trim() === text && hasLength(text, bounds);
}

const AUTHOR_TRANSITIONS: readonly string[] = ['edit', 'submit', 'delete'];
const STEPS = DEMO_BLOGS.flatMap((blog) => stepsOf(blog).map((step) => ({ blog, step })));
/** The bounds of notes and comments. */
const NOTE_BOUNDS = { min: 1, max: 2_000 };
const QUOTE_BOUNDS = { min: 1, max: 300 };

describe('demo content', () => {
  // The demo calls the services, which do not check the bounds of request bodies.
  it.each(DEMO_BLOGS)('should have a blog within the bounds, with clean HTML: $slug', (blog) => {
    expect(normalizeSlug(blog.slug)).toBe(blog.slug);
    expect(isUsableSlug(blog.slug)).toBe(true);
    const { title, description, tags: tagBounds } = BLOG_FIELDS;
    const edits = stepsOf(blog).map((step) => ('edit' in step ? step.edit : {}));
    for (const version of [blog, ...edits.map((edit) => ({ ...blog, ...edit }))]) {
      const { tags = [] } = version;
      expect(isTrimmedWithin(version.title, title)).toBe(true);
      expect(isTrimmedWithin(version.description, description)).toBe(true);
      expect(tags.length).toBeLessThanOrEqual(tagBounds.maxItems);
      expect(tags.filter((tag) => !isTrimmedWithin(tag, tagBounds))).toEqual([]);
      const { draftText = '' } = version;
      const cleaned = cleanHtml(draftText);
      // Cleaning gives the headings their ids.
      expect(cleaned.replace(/(<h[1-6]) id="[^"]*"/g, '$1')).toBe(draftText);
    }
  });

  it('should have an edit exactly in the states that need one', () => {
    const edited = DEMO_BLOGS.filter(({ edit }) => edit !== undefined);
    expect(edited).toEqual(DEMO_BLOGS.filter(({ state }) => EDITED_STATES.includes(state)));
  });

  it('should be written by authors, with unique slugs', () => {
    for (const { author } of DEMO_BLOGS) expect(DEMO_PEOPLE[author].roles).toContain('AUTHOR');
    expect(new Set(DEMO_BLOGS.map(({ slug }) => slug)).size).toBe(DEMO_BLOGS.length);
  });

  const transitions = STEPS.flatMap(({ blog, step }) =>
    'transition' in step ? [{ blog, step }] : [],
  );

  it.each(transitions)(
    'should have a transition by a user with the role for it: $blog.slug, $step.transition',
    (row) => {
      const { blog, step } = row;
      const { by, transition, assignTo, note = 'none' } = step;
      if (AUTHOR_TRANSITIONS.includes(transition)) expect(by).toBe(blog.author);
      else expect(DEMO_PEOPLE[by].roles).toContain('EDITOR');
      if (assignTo) expect(DEMO_PEOPLE[assignTo].roles).toContain('EDITOR');
      expect(isTrimmedWithin(note, NOTE_BOUNDS)).toBe(true);
    },
  );

  const comments = STEPS.flatMap(({ blog, step }) =>
    'transition' in step ? [] : [{ blog, step }],
  );

  it.each(comments)('should have a comment within the bounds: $step.comment', ({ blog, step }) => {
    const { by, comment, quote } = step;
    if (by !== blog.author) expect(DEMO_PEOPLE[by].roles).toContain('EDITOR');
    expect(isTrimmedWithin(comment, NOTE_BOUNDS)).toBe(true);
    if (quote) expect(isTrimmedWithin(quote, QUOTE_BOUNDS)).toBe(true);
    expect(blog.draftText).toContain(quote ?? '');
  });
});
