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
const NO_FLAG = { submitted: false, drafted: false, published: false };

const createdAt = new Date('2024-06-01T10:00:00Z');
const updatedAt = new Date('2024-06-02T10:00:00Z');
const idOfJuly = new Types.ObjectId('669900000000000000000001');

export interface Row {
  readonly found: string;
  readonly blog: Raw;
  readonly becomes: Readonly<Record<string, unknown>>;
  /** Whether readers see the migrated blog. */
  readonly isLive: boolean;
}

/** Blogs as a goserve server may have stored them, and the fields of each after the migration. */
export const ROWS: readonly Row[] = [
  { found: 'a draft', blog: goserveBlog(), becomes: DRAFT, isLive: false },
  {
    found: 'a draft with null where a field is optional',
    blog: goserveBlog({ text: null, imgUrl: null, publishedAt: null, tags: null }),
    becomes: { ...DRAFT, text: null, imgUrl: null, publishedAt: null, tags: [], tagKeys: [] },
    isLive: false,
  },
  {
    found: 'submitted and drafted both true',
    blog: goserveBlog({ submitted: true }),
    becomes: IN_REVIEW,
    isLive: false,
  },
  {
    found: 'submitted, drafted and published',
    blog: publishedGoserveBlog({ submitted: true, drafted: true, draftText: '<p>Pending</p>' }),
    becomes: { ...LIVE_IN_REVIEW, draftText: '<p>Pending</p>' },
    isLive: true,
  },
  { found: 'published', blog: publishedGoserveBlog(), becomes: LIVE, isLive: true },
  {
    found: 'published, with another draft text',
    blog: publishedGoserveBlog({ draftText: '<p>Newer</p>', text: '<p>Published</p>' }),
    becomes: { ...LIVE_WITH_DRAFT, draftText: '<p>Newer</p>', text: '<p>Published</p>' },
    isLive: true,
  },
  {
    found: 'published, the texts differing only in what is cleaned away',
    blog: publishedGoserveBlog({ draftText: '<p>A</p><script>b</script>', text: '<p>A</p>' }),
    becomes: { ...LIVE, draftText: '<p>A</p>', text: '<p>A</p>' },
    isLive: true,
  },
  { found: 'no flag', blog: goserveBlog({ drafted: false }), becomes: DRAFT, isLive: false },
  {
    found: 'no flag fields, no status, no score',
    blog: without(goserveBlog(), 'submitted', 'drafted', 'published', 'status', 'score'),
    becomes: { ...DRAFT, status: true, score: 0.01 },
    isLive: false,
  },
  {
    found: 'published without a draft text',
    blog: without(publishedGoserveBlog({ text: '<p>Only</p>' }), 'draftText'),
    becomes: { ...LIVE, draftText: '<p>Only</p>', text: '<p>Only</p>' },
    isLive: true,
  },
  {
    found: 'published without a text, with a draft in review',
    blog: publishedGoserveBlog({ text: null, submitted: true, draftText: '<p>Secret</p>' }),
    becomes: { ...LIVE_IN_REVIEW, draftText: '<p>Secret</p>', text: '' },
    isLive: true,
  },
  {
    found: 'published without any text',
    blog: without(publishedGoserveBlog(), 'text', 'draftText'),
    becomes: { ...LIVE, draftText: '', text: '' },
    isLive: true,
  },
  {
    found: 'published without a time of publication',
    blog: without(publishedGoserveBlog({ createdAt, updatedAt }), 'publishedAt'),
    becomes: { ...LIVE, publishedAt: updatedAt },
    isLive: true,
  },
  {
    found: "published and last updated at Go's zero time",
    blog: publishedGoserveBlog({ createdAt, updatedAt: GO_ZERO_TIME, publishedAt: GO_ZERO_TIME }),
    becomes: { ...LIVE, publishedAt: createdAt },
    isLive: true,
  },
  {
    found: 'published, without any time',
    blog: without(
      publishedGoserveBlog({ _id: idOfJuly, createdAt: GO_ZERO_TIME }),
      'publishedAt',
      'updatedAt',
    ),
    becomes: { ...LIVE, publishedAt: idOfJuly.getTimestamp() },
    isLive: true,
  },
  {
    found: "a draft with Go's zero time of publication, which would hide it once published",
    blog: goserveBlog({ publishedAt: GO_ZERO_TIME }),
    becomes: { ...DRAFT, publishedAt: null },
    isLive: false,
  },
  {
    found: 'deleted while published',
    blog: publishedGoserveBlog({ status: false, updatedAt }),
    becomes: { ...NO_FLAG, status: false, deletedAt: updatedAt, slugs: [] },
    isLive: false,
  },
  {
    found: 'HTML stored uncleaned',
    blog: publishedGoserveBlog({
      text: '<p onclick="x()">Text</p><script>y()</script>',
      draftText: '<p onclick="x()">Text</p><script>y()</script>',
    }),
    becomes: { ...LIVE, text: '<p>Text</p>', draftText: '<p>Text</p>' },
    isLive: true,
  },
  {
    found: 'a text of which nothing is left after cleaning',
    blog: publishedGoserveBlog({ text: '<script>a</script>', draftText: '<script>a</script>' }),
    becomes: { ...LIVE, text: '', draftText: '' },
    isLive: true,
  },
  {
    found: 'an image address that is not an HTTP URL',
    blog: publishedGoserveBlog({ imgUrl: 'javascript:alert(1)' }),
    becomes: { ...LIVE, imgUrl: 'javascript:alert(1)' },
    isLive: true,
  },
  {
    found: 'no author',
    blog: without(goserveBlog(), 'author', 'createdBy'),
    becomes: { ...DRAFT, author: new Types.ObjectId('000000000000000000000000') },
    isLive: false,
  },
  {
    found: 'no title and no slug',
    blog: without(goserveBlog({ title: null }), 'slug', 'description'),
    becomes: { ...DRAFT, title: '', description: '', slug: 'blog' },
    isLive: false,
  },
  {
    found: 'a slug in another spelling',
    blog: publishedGoserveBlog({ slug: ' Größe & Ähnlichkeit ' }),
    becomes: { ...LIVE, slug: 'größe-ähnlichkeit' },
    isLive: true,
  },
  {
    found: 'a slug whose normal form is empty',
    blog: goserveBlog({ title: 'Made from the title', slug: '???' }),
    becomes: { ...DRAFT, slug: 'made-from-the-title' },
    isLive: false,
  },
  {
    found: 'a slug that is too long',
    blog: goserveBlog({ slug: `${'long-'.repeat(60)}` }),
    becomes: { ...DRAFT, slug: 'long-'.repeat(40).slice(0, 199) },
    isLive: false,
  },
  {
    found: 'fields that Pressroom does not know',
    blog: goserveBlog({ __v: 3, likes: { count: 7 }, agg: 'x' }),
    becomes: { ...DRAFT, __v: 3, likes: { count: 7 }, agg: 'x' },
    isLive: false,
  },
];
