import { Types } from 'mongoose';
import { encodeCursor } from '../../../src/common/pagination/cursor.js';
import {
  FIELD_NAMES,
  LIVE_FIELD_NAMES,
  markedBody,
  withDerived,
  type BlogBody,
} from '../../support/blog-fields.js';
import { blogIn, STATES, unique, unknownId, type State } from '../../support/factories.js';
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

/** Of any length: the words of a title, and the tags. */
const TAGS = ['history', 'computing'];

/** Each field with a value, and left out; an optional one also as null, which removes it. */
const CHANGES: Readonly<Record<string, readonly unknown[]>> = {
  ...Object.fromEntries(
    Object.entries(markedBody('changed')).map(([name, value]) => [name, [value, undefined]]),
  ),
  slug: [slug, undefined],
  imgUrl: [PICTURE, undefined, null],
  tags: [TAGS, undefined],
};

/** Every write changes these. */
const BOOKKEEPING = ['rev', 'updatedAt'];

function update(...fields: string[]): string {
  return `update blogs: ${[...fields, ...BOOKKEEPING].sort().join(', ')}`;
}

const WORKING_COPY = [...withDerived(FIELD_NAMES), 'slugs'];
const EDIT = update(...WORKING_COPY);
const SUBMIT = [update('submitted', 'drafted')];
const LIVE = ['at', ...withDerived(LIVE_FIELD_NAMES)].map((name) => `live.${name}`);
const NEW_BLOG = [
  ...['_id', 'author', 'createdAt', 'createdBy', 'updatedBy', 'score', 'status', 'htmlVersion'],
  ...['drafted', 'submitted', 'published'],
  ...WORKING_COPY,
  ...BOOKKEEPING,
];

const SUBMIT_BLOG = { ...blogs('draft'), effects: SUBMIT };
const WITHDRAW_BLOG = { ...blogs('in review'), effects: SUBMIT };

const target = ({ target: id }: Call): string => id;

/** Author and editor routes. */
export const EDITORIAL_ENDPOINTS: readonly Endpoint[] = [
  {
    route: 'POST /blog/author',
    body: {
      ...CHANGES,
      title: ['A title'],
      description: ['A description'],
      draftText: ['<p>A text</p>'],
      slug: [slug, undefined, 'taken'],
      tags: [['history'], undefined, []],
    },
    effects: [`insert blogs: ${NEW_BLOG.sort().join(', ')}`],
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
    effects: [update(...WORKING_COPY, 'drafted')],
  },
  { route: 'GET /blog/author/drafts', query: PAGE },
  { route: 'GET /blog/author/submitted', query: PAGE },
  { route: 'GET /blog/author/published', query: PAGE },

  { route: 'GET /blog/editor/id/:id', ...blogs('in review') },
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

/** Public reads. */
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
