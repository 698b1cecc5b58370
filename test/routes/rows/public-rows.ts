import { Types } from 'mongoose';
import { encodeCursor } from '../../../src/platform/http/pagination/cursor.js';
import { unknownId } from '../../support/factories.js';
import { authorOfOneBlog, newBlog } from '../calls.js';
import { allBlogs, BY_SLUG, OF_TAGS, OF_USERS } from '../outcomes.js';
import { CURSOR, KEY, openedBy, PAGE, type Row } from '../row.js';

/** The query of a public list. A request with both a page and a cursor is refused. */
const PUBLIC_PAGE = {
  ...PAGE,
  cursor: CURSOR,
  total: [undefined, 'true'],
};

const PUBLIC_LIST = { ...PUBLIC_PAGE, include: [undefined, 'text'] };
const TIME = '2026-01-31T08:15:30Z';
const SELECTION = {
  include: [undefined, 'text'],
  from: [undefined, TIME],
  to: [undefined, TIME],
  order: [undefined, 'oldest'],
};

/** No term, one or several of each kind: the stages of the aggregation differ. */
const SIMILAR_TERMS = [
  { title: 'Engine', tags: ['history'] },
  { title: 'Analytical engine', tags: ['history', 'computing'] },
  { title: 'Engine', tags: [] },
  { title: 'Analytical engine', tags: [] },
  { title: '!!!', tags: ['history'] },
  { title: '!!!', tags: ['history', 'computing'] },
  { title: '!!!', tags: [] },
];

const POSITION = encodeCursor({ at: new Date(0), id: new Types.ObjectId() });

const FEEDS = openedBy(KEY, 'feeds');
const FEED = { tag: [undefined, 'history'] };

export const PUBLIC_ROWS: readonly Row[] = [
  { route: 'GET /feeds/rss.xml', access: FEEDS, query: FEED },
  { route: 'GET /feeds/atom.xml', access: FEEDS, query: FEED },
  { route: 'GET /feeds/feed.json', access: FEEDS, query: FEED },
  {
    route: 'GET /sitemap.xml',
    access: FEEDS,
    query: { start: [undefined, POSITION], end: [undefined, POSITION] },
  },
  {
    route: 'GET /blogs/search',
    access: openedBy(KEY, 'search'),
    // The commands differ for a word, a beginning, several words, no word, and each filter.
    query: {
      q: ['nothing', 'of', 'titl', 'title of nothing', '!!!'],
      tag: [undefined, 'history'],
      author: [undefined, '0'.repeat(24)],
      from: [undefined, TIME],
      page: PAGE.page,
    },
  },
  { route: 'GET /blog/id/:id', access: KEY, ...allBlogs('publicRead') },
  { route: 'GET /blog/slug/:slug', access: KEY, ...BY_SLUG },
  { route: 'GET /blog/list/latest', access: KEY, query: PUBLIC_LIST },
  {
    route: 'GET /blogs/latest',
    access: KEY,
    query: { ...SELECTION, cursor: PUBLIC_PAGE.cursor, tag: [undefined, 'history'] },
  },
  {
    route: 'GET /blogs/tag/:tag',
    access: KEY,
    ...OF_TAGS,
    query: { ...PUBLIC_PAGE, ...SELECTION },
  },
  {
    route: 'GET /blogs/author/id/:id',
    access: KEY,
    ...OF_USERS,
    outcomes: { ...OF_USERS.outcomes, unknown: 200 },
    targets: [authorOfOneBlog, unknownId],
    query: { ...PUBLIC_PAGE, order: SELECTION.order },
  },
  {
    route: 'GET /tags',
    access: KEY,
    query: { prefix: [undefined, 'his'], order: [undefined, 'name'], limit: PAGE.limit },
  },
  { route: 'GET /authors/id/:id', access: KEY, ...OF_USERS, targets: [authorOfOneBlog, unknownId] },
  {
    route: 'GET /blogs/similar/id/:id',
    access: KEY,
    ...allBlogs('publicRead'),
    targets: [...SIMILAR_TERMS.map((terms) => newBlog('live', terms)), unknownId],
  },
];
