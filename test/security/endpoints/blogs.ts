import { Types } from 'mongoose';
import { encodeCursor } from '../../../src/common/pagination/cursor.js';
import {
  blogIn,
  STATES,
  unique,
  unknownId,
  type BlogBody,
  type State,
} from '../../support/factories.js';
import type { Call, Endpoint, Stage } from './endpoint.js';

type Target = (stage: Stage) => Promise<string>;

const PAGE = { page: [undefined, '2'], limit: [undefined, '5'] };

/** Beside a page, a cursor is refused; a list of its own for the public ones. */
const PUBLIC_PAGE = {
  ...PAGE,
  cursor: [undefined, encodeCursor({ at: new Date(1_700_000_000_000), id: new Types.ObjectId() })],
  total: [undefined, 'true'],
};

function blog(state: State, overrides: Partial<BlogBody> = {}): Target {
  return async ({ people: { AUTHOR, EDITOR } }) =>
    (await blogIn(state, AUTHOR, EDITOR, overrides))._id;
}

const strangers: Target = async ({ people: { EDITOR }, stranger }) =>
  (await blogIn('draft', stranger, EDITOR))._id;

/** A blog in the state in which the request succeeds, then in every other, then none. */
function blogs(state: State): Pick<Endpoint, 'targets' | 'headers'> {
  const others = STATES.filter((other) => other !== state).map((other) => blog(other));
  return {
    targets: [blog(state), ...others, strangers, unknownId],
    // No precondition, one of a revision, and one that no revision meets.
    headers: { 'if-match': [undefined, '"1"', 'W/"1"'] },
  };
}

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
const BOOKKEEPING = ['events', 'rev', 'updatedAt'];

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

const SUBMIT_BLOG = { ...blogs('draft'), effects: SUBMIT };
const WITHDRAW_BLOG = { ...blogs('in review'), effects: SUBMIT };

const target = ({ target: id }: Call): string => id;

/** Author and editor routes (contract, sections 5 and 6). */
export const EDITORIAL_ENDPOINTS: readonly Endpoint[] = [
  {
    route: 'POST /blog/author',
    body: {
      title: ['A title'],
      description: ['A description'],
      draftText: ['<p>A text</p>'],
      slug: [slug, undefined, 'taken'],
      imgUrl: [PICTURE, undefined, null],
      tags: [['history'], undefined, []],
    },
    effects: [
      'insert blogs: _id, author, createdAt, createdBy, description, descriptionWords, draftText, drafted, events, htmlVersion, imgUrl, published, rev, score, slug, slugs, status, submitted, tagKeys, tags, title, titleWords, updatedAt, updatedBy',
    ],
  },
  {
    route: 'PUT /blog/author',
    ...blogs('draft'),
    body: { _id: [target], ...CHANGES },
    effects: [EDIT],
  },
  {
    route: 'PUT /blog/author/id/:id',
    ...blogs('draft'),
    body: { ...CHANGES, _id: [target] },
    effects: [EDIT],
  },
  {
    route: 'DELETE /blog/author/id/:id',
    ...blogs('draft'),
    effects: [update('status', 'deletedAt', 'drafted', 'slugs')],
  },
  { route: 'GET /blog/author/id/:id', ...blogs('draft') },
  { route: 'PUT /blog/author/submit/:id', ...SUBMIT_BLOG },
  { route: 'PUT /blog/author/submit/id/:id', ...SUBMIT_BLOG },
  { route: 'PUT /blog/author/withdraw/:id', ...WITHDRAW_BLOG },
  { route: 'PUT /blog/author/withdraw/id/:id', ...WITHDRAW_BLOG },
  {
    route: 'PUT /blog/author/discard/:id',
    ...blogs('live with draft'),
    effects: [
      update(
        ...['title', 'titleWords', 'description', 'descriptionWords', 'draftText', 'slug', 'slugs'],
        ...['imgUrl', 'tags', 'tagKeys', 'drafted'],
      ),
    ],
  },
  { route: 'GET /blog/author/history/id/:id', ...blogs('draft'), query: PAGE },
  { route: 'GET /blog/author/drafts', query: PAGE },
  { route: 'GET /blog/author/submitted', query: PAGE },
  { route: 'GET /blog/author/published', query: PAGE },

  { route: 'GET /blog/editor/id/:id', ...blogs('in review') },
  { route: 'GET /blog/editor/history/id/:id', ...blogs('in review'), query: PAGE },
  { route: 'GET /blog/editor/submitted', query: PAGE },
  { route: 'GET /blog/editor/published', query: PAGE },
  {
    route: 'PUT /blog/editor/publish/id/:id',
    ...blogs('in review'),
    effects: [update('submitted', 'published', 'publishedAt', 'text', 'updatedBy', ...LIVE)],
  },
  {
    route: 'PUT /blog/editor/unpublish/id/:id',
    ...blogs('live'),
    effects: [update('drafted', 'published', ...LIVE)],
  },
];

const liveSlug: Target = async ({ people: { AUTHOR, EDITOR } }) =>
  (await blogIn('live', AUTHOR, EDITOR)).body.slug;
const liveTag: Target = async ({ people: { AUTHOR, EDITOR } }) =>
  (await blogIn('live', AUTHOR, EDITOR)).body.tags[0] ?? '';

const ONE_BLOG = { targets: [blog('live'), blog('draft'), unknownId] };

/** Public reads (contract, section 7). */
export const PUBLIC_ENDPOINTS: readonly Endpoint[] = [
  { route: 'GET /blog/id/:id', ...ONE_BLOG },
  { route: 'GET /blog/slug/:slug', targets: [liveSlug, () => 'no-such-slug'] },
  { route: 'GET /blog/list/latest', query: PUBLIC_PAGE },
  { route: 'GET /blogs/latest', query: PUBLIC_PAGE },
  { route: 'GET /blogs/tag/:tag', targets: [liveTag, () => 'no such tag'], query: PUBLIC_PAGE },
  {
    route: 'GET /blogs/similar/id/:id',
    // One term or several of each kind, and none at all: the stages differ.
    targets: [
      blog('live', { title: 'Engine', tags: ['history'] }),
      blog('live', { title: 'Analytical engine', tags: ['history', 'computing'] }),
      blog('live', { title: 'Engine', tags: [] }),
      blog('live', { title: 'Analytical engine', tags: [] }),
      blog('live', { title: '!!!', tags: ['history'] }),
      blog('live', { title: '!!!', tags: ['history', 'computing'] }),
      blog('live', { title: '!!!', tags: [] }),
      unknownId,
    ],
  },
];
