import { describe, expect, it } from '@jest/globals';
import { BLOG_FIELDS, LIVE_FIELDS } from '../../core/blog-fields.js';
import { diffFields, type DiffSide } from './diff-fields.js';

const BLOG: DiffSide = {
  title: 'Title',
  description: 'Description',
  draftText: '<p>text</p>',
  slug: 'title',
  tags: ['a', 'b'],
};
const IMAGE = BLOG_FIELDS.imgUrl.example;

describe('diffFields', () => {
  it('should return nothing for equal fields, whatever the text is', () => {
    const after = { ...BLOG, tags: ['a', 'b'], draftText: '<p>other</p>' };
    expect(diffFields(BLOG, after)).toEqual([]);
  });

  it('should return every changed field, in the order of LIVE_FIELDS', () => {
    const before = LIVE_FIELDS.map((field) => [field, BLOG_FIELDS[field].example]);
    const after = LIVE_FIELDS.toReversed().map((field) => [field, field === 'tags' ? ['x'] : 'x']);
    const sideOf = (fields: unknown[][]) => Object.fromEntries(fields) as unknown as DiffSide;
    expect(diffFields(sideOf(before), sideOf(after))).toEqual(
      LIVE_FIELDS.map((field) => ({
        field,
        before: BLOG_FIELDS[field].example,
        after: field === 'tags' ? ['x'] : 'x',
      })),
    );
  });

  it('should leave out the value of a side that has none', () => {
    const withImage = { ...BLOG, imgUrl: IMAGE };
    const withNull = { ...BLOG, imgUrl: null } as unknown as DiffSide;
    expect(diffFields(BLOG, withImage)).toEqual([{ field: 'imgUrl', after: IMAGE }]);
    expect(diffFields(withImage, withNull)).toEqual([{ field: 'imgUrl', before: IMAGE }]);
    expect(diffFields(BLOG, withNull)).toEqual([]);
  });

  it('should compare tags as a list', () => {
    for (const tags of [
      ['b', 'a'],
      ['A', 'b'],
    ]) {
      const expected = [{ field: 'tags', before: ['a', 'b'], after: tags }];
      expect(diffFields(BLOG, { ...BLOG, tags })).toEqual(expected);
    }
  });
});
