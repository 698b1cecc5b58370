import { Types } from 'mongoose';
import {
  GO_ZERO_TIME,
  goserveBlog,
  publishedGoserveBlog,
  without,
  type Raw,
} from './goserve-database.js';

const DRAFT = { submitted: false, drafted: true, published: false };
const IN_REVIEW = { submitted: true, drafted: false, published: false };
const LIVE = { submitted: false, drafted: false, published: true };
const LIVE_WITH_DRAFT = { submitted: false, drafted: true, published: true };
const LIVE_IN_REVIEW = { submitted: true, drafted: false, published: true };
const ALL_FALSE = { submitted: false, drafted: false, published: false };

const createdAt = new Date('2024-06-01T10:00:00Z');
const updatedAt = new Date('2024-06-02T10:00:00Z');
const idOfJuly = new Types.ObjectId('669900000000000000000001');

export interface Row {
  readonly label: string;
  readonly blog: Raw;
  readonly expected: Readonly<Record<string, unknown>>;
  /** Whether readers see the migrated blog. */
  readonly isLive: boolean;
}

/** Blogs as a goserve server may have stored them, and the fields of each after the migration. */
export const ROWS: readonly Row[] = [
  { label: 'a draft', blog: goserveBlog(), expected: DRAFT, isLive: false },
  {
    label: 'a draft with null where a field is optional',
    blog: goserveBlog({ text: null, imgUrl: null, publishedAt: null, tags: null }),
    expected: { ...DRAFT, text: null, imgUrl: null, publishedAt: null, tags: [], tagKeys: [] },
    isLive: false,
  },
  {
    label: 'submitted and drafted both true',
    blog: goserveBlog({ submitted: true }),
    expected: IN_REVIEW,
    isLive: false,
  },
  {
    label: 'submitted, drafted and published',
    blog: publishedGoserveBlog({ submitted: true, drafted: true, draftText: '<p>Pending</p>' }),
    expected: { ...LIVE_IN_REVIEW, draftText: '<p>Pending</p>' },
    isLive: true,
  },
  { label: 'published', blog: publishedGoserveBlog(), expected: LIVE, isLive: true },
  {
    label: 'published, with another draft text',
    blog: publishedGoserveBlog({ draftText: '<p>Newer</p>', text: '<p>Published</p>' }),
    expected: { ...LIVE_WITH_DRAFT, draftText: '<p>Newer</p>', text: '<p>Published</p>' },
    isLive: true,
  },
  {
    label: 'published, the texts differing only in what is cleaned away',
    blog: publishedGoserveBlog({ draftText: '<p>A</p><script>b</script>', text: '<p>A</p>' }),
    expected: { ...LIVE, draftText: '<p>A</p>', text: '<p>A</p>' },
    isLive: true,
  },
  { label: 'no flag set', blog: goserveBlog({ drafted: false }), expected: DRAFT, isLive: false },
  {
    label: 'without flags, status and score',
    blog: without(goserveBlog(), 'submitted', 'drafted', 'published', 'status', 'score'),
    expected: { ...DRAFT, status: true, score: 0.01 },
    isLive: false,
  },
  {
    label: 'published without a draft text',
    blog: without(publishedGoserveBlog({ text: '<p>Only</p>' }), 'draftText'),
    expected: { ...LIVE, draftText: '<p>Only</p>', text: '<p>Only</p>' },
    isLive: true,
  },
  {
    label: 'published without a text, with a draft in review',
    blog: publishedGoserveBlog({ text: null, submitted: true, draftText: '<p>Secret</p>' }),
    expected: { ...LIVE_IN_REVIEW, draftText: '<p>Secret</p>', text: '' },
    isLive: true,
  },
  {
    label: 'published without any text',
    blog: without(publishedGoserveBlog(), 'text', 'draftText'),
    expected: { ...LIVE, draftText: '', text: '' },
    isLive: true,
  },
  {
    label: 'published without a time of publication',
    blog: without(publishedGoserveBlog({ createdAt, updatedAt }), 'publishedAt'),
    expected: { ...LIVE, publishedAt: updatedAt },
    isLive: true,
  },
  {
    label: "published and last updated at Go's zero time",
    blog: publishedGoserveBlog({ createdAt, updatedAt: GO_ZERO_TIME, publishedAt: GO_ZERO_TIME }),
    expected: { ...LIVE, publishedAt: createdAt },
    isLive: true,
  },
  {
    label: 'published, without any time',
    blog: without(
      publishedGoserveBlog({ _id: idOfJuly, createdAt: GO_ZERO_TIME }),
      'publishedAt',
      'updatedAt',
    ),
    expected: { ...LIVE, publishedAt: idOfJuly.getTimestamp() },
    isLive: true,
  },
  {
    label: "a draft with Go's zero time of publication, which would hide it once published",
    blog: goserveBlog({ publishedAt: GO_ZERO_TIME }),
    expected: { ...DRAFT, publishedAt: null },
    isLive: false,
  },
  {
    label: 'deleted while published',
    blog: publishedGoserveBlog({ status: false, updatedAt }),
    expected: { ...ALL_FALSE, status: false, deletedAt: updatedAt, slugs: [] },
    isLive: false,
  },
  {
    label: 'HTML stored uncleaned',
    blog: publishedGoserveBlog({
      text: '<p onclick="x()">Text</p><script>y()</script>',
      draftText: '<p onclick="x()">Text</p><script>y()</script>',
    }),
    expected: { ...LIVE, text: '<p>Text</p>', draftText: '<p>Text</p>' },
    isLive: true,
  },
  {
    label: 'a text of which nothing is left after cleaning',
    blog: publishedGoserveBlog({ text: '<script>a</script>', draftText: '<script>a</script>' }),
    expected: { ...LIVE, text: '', draftText: '' },
    isLive: true,
  },
  {
    label: 'an image address that is not an HTTP URL',
    blog: publishedGoserveBlog({ imgUrl: 'javascript:alert(1)' }),
    expected: { ...LIVE, imgUrl: 'javascript:alert(1)' },
    isLive: true,
  },
  {
    label: 'no author',
    blog: without(goserveBlog(), 'author', 'createdBy'),
    expected: { ...DRAFT, author: new Types.ObjectId('000000000000000000000000') },
    isLive: false,
  },
  {
    label: 'no title and no slug',
    blog: without(goserveBlog({ title: null }), 'slug', 'description'),
    expected: { ...DRAFT, title: '', description: '', slug: 'blog' },
    isLive: false,
  },
  {
    label: 'a slug that is not in its normal form',
    blog: publishedGoserveBlog({ slug: ' Größe & Ähnlichkeit ' }),
    expected: { ...LIVE, slug: 'größe-ähnlichkeit' },
    isLive: true,
  },
  {
    label: 'a slug whose normal form is empty',
    blog: goserveBlog({ title: 'Made from the title', slug: '???' }),
    expected: { ...DRAFT, slug: 'made-from-the-title' },
    isLive: false,
  },
  {
    label: 'a slug that is too long',
    blog: goserveBlog({ slug: `${'long-'.repeat(60)}` }),
    expected: { ...DRAFT, slug: 'long-'.repeat(40).slice(0, 199) },
    isLive: false,
  },
  {
    label: 'fields that Pressroom does not know',
    blog: goserveBlog({ __v: 3, likes: { count: 7 }, agg: 'x' }),
    expected: { ...DRAFT, __v: 3, likes: { count: 7 }, agg: 'x' },
    isLive: false,
  },
];
