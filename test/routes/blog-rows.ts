import { Types } from 'mongoose';
import { encodeCursor } from '../../src/common/pagination/cursor.js';
import { unique, unknownId } from '../support/factories.js';
import { newBlog } from './calls.js';
import { allBlogs, BY_SLUG, OF_TAGS, ownBlogs } from './outcomes.js';
import { AUTHOR, EDITOR, KEY, type Call, type Row } from './row.js';

export const PAGE = { page: [undefined, '2'], limit: [undefined, '5'] };

/** Beside a page, a cursor is refused; a list of its own for the public ones. */
const PUBLIC_PAGE = {
  ...PAGE,
  cursor: [undefined, encodeCursor({ at: new Date(1_700_000_000_000), id: new Types.ObjectId() })],
  total: [undefined, 'true'],
};

const slug = (): string => unique('slug');
const PICTURE = 'https://example.org/picture.png';

/** Tags and words are lists of any length; an edit may name any of the fields. */
const CHANGES = {
  title: ['A new title', undefined],
  description: ['A new description', undefined],
  draftText: ['<p>A new text</p>', undefined],
  slug: [slug, undefined],
  imgUrl: [PICTURE, undefined, null],
  tags: [['history', 'computing'], undefined],
};

/** With every write, whatever it changes. */
const BOOKKEEPING = ['rev', 'updatedAt'];

function update(...fields: string[]): string {
  return `update blogs: ${[...fields, ...BOOKKEEPING].sort().join(', ')}`;
}

const EDIT = update(
  'title',
  'titleWords',
  'description',
  'descriptionWords',
  'draftText',
  'slug',
  'slugs',
  'imgUrl',
  'tags',
  'tagKeys',
);
const SUBMIT = [update('submitted', 'drafted')];
const LIVE = 'live.at live.description live.descriptionWords live.imgUrl live.slug live.tagKeys'
  .concat(' live.tags live.title live.titleWords')
  .split(' ');

const target = ({ target: id }: Call): string => id;

const EDITS = { ...ownBlogs('edit'), body: { ...CHANGES, _id: [target] }, effects: [EDIT] };
const SUBMITS = { ...ownBlogs('submit'), effects: SUBMIT };
const WITHDRAWS = { ...ownBlogs('withdraw'), effects: SUBMIT };

export const EDITORIAL_ROWS: readonly Row[] = [
  {
    route: 'POST /blog/author',
    access: AUTHOR,
    body: {
      title: ['A title'],
      description: ['A description'],
      draftText: ['<p>A text</p>'],
      slug: [slug, undefined, 'taken'],
      imgUrl: [PICTURE, undefined, null],
      tags: [['history'], undefined, []],
    },
    effects: [
      'insert blogs: _id, author, createdAt, createdBy, description, descriptionWords, draftText, drafted, htmlVersion, imgUrl, published, rev, score, slug, slugs, status, submitted, tagKeys, tags, title, titleWords, updatedAt, updatedBy',
    ],
  },
  {
    route: 'PUT /blog/author',
    access: AUTHOR,
    ...EDITS,
    // The id is a field of the body here.
    outcomes: { ...EDITS.outcomes, malformed: 422 },
  },
  { route: 'PUT /blog/author/id/:id', access: AUTHOR, ...EDITS },
  {
    route: 'DELETE /blog/author/id/:id',
    access: AUTHOR,
    ...ownBlogs('delete'),
    effects: [update('status', 'deletedAt', 'drafted', 'slugs')],
  },
  { route: 'GET /blog/author/id/:id', access: AUTHOR, ...ownBlogs('read') },
  { route: 'PUT /blog/author/submit/:id', access: AUTHOR, ...SUBMITS },
  { route: 'PUT /blog/author/submit/id/:id', access: AUTHOR, ...SUBMITS },
  { route: 'PUT /blog/author/withdraw/:id', access: AUTHOR, ...WITHDRAWS },
  { route: 'PUT /blog/author/withdraw/id/:id', access: AUTHOR, ...WITHDRAWS },
  {
    route: 'PUT /blog/author/discard/:id',
    access: AUTHOR,
    ...ownBlogs('discard'),
    effects: [
      update(
        ...['title', 'titleWords', 'description', 'descriptionWords', 'draftText', 'slug', 'slugs'],
        ...['imgUrl', 'tags', 'tagKeys', 'drafted'],
      ),
    ],
  },
  { route: 'GET /blog/author/drafts', access: AUTHOR, query: PAGE },
  { route: 'GET /blog/author/submitted', access: AUTHOR, query: PAGE },
  { route: 'GET /blog/author/published', access: AUTHOR, query: PAGE },

  { route: 'GET /blog/editor/id/:id', access: EDITOR, ...allBlogs('editorRead') },
  { route: 'GET /blog/editor/submitted', access: EDITOR, query: PAGE },
  { route: 'GET /blog/editor/published', access: EDITOR, query: PAGE },
  {
    route: 'PUT /blog/editor/publish/id/:id',
    access: EDITOR,
    ...allBlogs('publish'),
    effects: [update('submitted', 'published', 'publishedAt', 'text', 'updatedBy', ...LIVE)],
  },
  {
    route: 'PUT /blog/editor/unpublish/id/:id',
    access: EDITOR,
    ...allBlogs('unpublish'),
    effects: [update('drafted', 'published', ...LIVE)],
  },
];

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
