import { Types } from 'mongoose';
import { encodeCursor } from '../../../src/common/pagination/cursor.js';
import { unknownId } from '../../support/factories.js';
import { newBlog } from '../calls.js';
import { allBlogs, BY_SLUG, OF_TAGS } from '../outcomes.js';
import { KEY, PAGE, type Row } from '../row.js';

/** Beside a page, a cursor is refused; a list of its own for the public ones. */
const PUBLIC_PAGE = {
  ...PAGE,
  cursor: [undefined, encodeCursor({ at: new Date(1_700_000_000_000), id: new Types.ObjectId() })],
  total: [undefined, 'true'],
};

/** One term or several of each kind, and none at all: the stages of the search differ. */
const SIMILAR_TERMS = [
  { title: 'Engine', tags: ['history'] },
  { title: 'Analytical engine', tags: ['history', 'computing'] },
  { title: 'Engine', tags: [] },
  { title: 'Analytical engine', tags: [] },
  { title: '!!!', tags: ['history'] },
  { title: '!!!', tags: ['history', 'computing'] },
  { title: '!!!', tags: [] },
];

export const PUBLIC_ROWS: readonly Row[] = [
  { route: 'GET /blog/id/:id', access: KEY, ...allBlogs('publicRead') },
  { route: 'GET /blog/slug/:slug', access: KEY, ...BY_SLUG },
  { route: 'GET /blog/list/latest', access: KEY, query: PUBLIC_PAGE },
  { route: 'GET /blogs/latest', access: KEY, query: PUBLIC_PAGE },
  { route: 'GET /blogs/tag/:tag', access: KEY, ...OF_TAGS, query: PUBLIC_PAGE },
  {
    route: 'GET /blogs/similar/id/:id',
    access: KEY,
    ...allBlogs('publicRead'),
    targets: [...SIMILAR_TERMS.map((terms) => newBlog('live', terms)), unknownId],
  },
];
