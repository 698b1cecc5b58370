import { OPTIONAL_FIELDS, type BlogFieldName } from '../../../src/blog/core/blog-fields.js';
import {
  FIELD_NAMES,
  LIVE_FIELD_NAMES,
  markedBody,
  withDerived,
} from '../../support/blog-fields.js';
import { unique, unknownId } from '../../support/factories.js';
import { allBlogs, ownBlogs } from '../outcomes.js';
import { AUTHOR, EDITOR, PAGE, type Call, type Row } from '../row.js';

const slug = (): string => unique('slug');
/** Values that differ from those of the marked body: a new slug for each call, and several tags. */
const VALUES: Partial<Record<BlogFieldName, unknown>> = { slug, tags: ['history', 'computing'] };

const BODY = markedBody('changed');
const OPTIONAL: readonly BlogFieldName[] = OPTIONAL_FIELDS;

/** For each field a value and `undefined`, which leaves it out; for optional fields also null, which removes it. */
const CHANGES: Readonly<Record<string, readonly unknown[]>> = {
  ...Object.fromEntries(
    FIELD_NAMES.map((name) => [
      name,
      [VALUES[name] ?? BODY[name], undefined, ...(OPTIONAL.includes(name) ? [null] : [])],
    ]),
  ),
  // Markdown beside HTML is refused.
  draftMarkdown: [undefined, null],
  // A cover takes the place of `imgUrl`.
  cover: [undefined, null],
};

/** The fields that every edit and every change of the state also write. */
const BOOKKEEPING = ['events', 'rev', 'updatedAt'];

function update(...fields: string[]): string {
  return `update blogs: ${[...fields, ...BOOKKEEPING].sort().join(', ')}`;
}

const WORKING_COPY = [...withDerived(FIELD_NAMES), 'slugs'];
/** The effect of an edit of every field. */
const EDIT = update(...WORKING_COPY);
/** The effect of an edit of every field after which the working copy is what is live. */
export const SET_BACK = update(...WORKING_COPY, 'drafted');
const CONTENT = 'insert blog_revisions: _id, blog, fields, htmlVersion, rev, sweepAt, title';
const SUBMIT = [
  CONTENT,
  update('submitted', 'drafted', 'revisions', 'submittedAt', 'submitters', 'submissionNote'),
];
const WITHDRAW = [update('submitted', 'drafted')];
const LIVE = ['at', 'updatedAt', 'readingMinutes', 'words', ...withDerived(LIVE_FIELD_NAMES)].map(
  (name) => `live.${name}`,
);
/** The stored fields of a new blog. */
export const NEW_BLOG = [
  '_id',
  'author',
  'contributors',
  'createdAt',
  'createdBy',
  'updatedBy',
  'score',
  'status',
  'htmlVersion',
  'drafted',
  'submitted',
  'published',
  'readingMinutes',
  ...WORKING_COPY,
  ...BOOKKEEPING,
  'revisions',
];

/** Names every revision number that a blog of these tests may have, because its ETag is not known beforehand. */
const ANY_EARLY_REVISION = {
  'if-match': Array.from({ length: 20 }, (_, rev) => `"${rev}"`).join(', '),
};

const target = ({ target: id }: Call): string => id;

const EDIT_ROW = { ...ownBlogs('edit'), body: { ...CHANGES, _id: [target] }, effects: [EDIT] };
const NOTE = ['A note to the other side.'];
const SUBMIT_ROW = {
  ...ownBlogs('submit'),
  body: { note: [...NOTE, undefined, ''] },
  effects: SUBMIT,
};
const WITHDRAW_ROW = { ...ownBlogs('withdraw'), effects: WITHDRAW };

export const EDITORIAL_ROWS: readonly Row[] = [
  {
    route: 'POST /blog/author',
    access: AUTHOR,
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
    access: AUTHOR,
    ...EDIT_ROW,
    // The id is a field of the body here, so a malformed one is 422.
    outcomes: { ...EDIT_ROW.outcomes, malformed: 422 },
  },
  { route: 'PUT /blog/author/id/:id', access: AUTHOR, ...EDIT_ROW },
  {
    route: 'DELETE /blog/author/id/:id',
    access: AUTHOR,
    ...ownBlogs('delete'),
    effects: [update('status', 'deletedAt', 'trashedAt', 'drafted', 'slugs', 'previewGeneration')],
  },
  { route: 'GET /blog/author/id/:id', access: AUTHOR, ...ownBlogs('read') },
  { route: 'PUT /blog/author/submit/:id', access: AUTHOR, ...SUBMIT_ROW },
  { route: 'PUT /blog/author/submit/id/:id', access: AUTHOR, ...SUBMIT_ROW },
  { route: 'PUT /blog/author/withdraw/:id', access: AUTHOR, ...WITHDRAW_ROW },
  { route: 'PUT /blog/author/withdraw/id/:id', access: AUTHOR, ...WITHDRAW_ROW },
  {
    route: 'PUT /blog/author/discard/:id',
    access: AUTHOR,
    ...ownBlogs('discard'),
    effects: [update(...WORKING_COPY, 'drafted')],
  },
  { route: 'GET /blog/author/history/id/:id', access: AUTHOR, ...ownBlogs('read'), query: PAGE },
  { route: 'GET /blog/author/counts', access: AUTHOR },
  { route: 'GET /blog/author/drafts', access: AUTHOR, query: PAGE },
  { route: 'GET /blog/author/submitted', access: AUTHOR, query: PAGE },
  { route: 'GET /blog/author/published', access: AUTHOR, query: PAGE },

  { route: 'GET /blog/editor/id/:id', access: EDITOR, ...allBlogs('editorRead') },
  {
    route: 'GET /blog/editor/history/id/:id',
    access: EDITOR,
    ...allBlogs('editorRead'),
    query: PAGE,
  },
  { route: 'GET /blog/editor/counts', access: EDITOR },
  {
    route: 'GET /blog/editor/submitted',
    access: EDITOR,
    query: {
      ...PAGE,
      assigned: [undefined, 'me', 'none', unknownId],
      order: [undefined, 'oldest'],
    },
  },
  { route: 'GET /blog/editor/published', access: EDITOR, query: PAGE },
  {
    route: 'PUT /blog/editor/id/:id',
    access: EDITOR,
    ...allBlogs('correct'),
    body: { ...CHANGES, _id: [target] },
    headers: ANY_EARLY_REVISION,
    effects: [
      CONTENT,
      update(...WORKING_COPY, 'contributors', 'revisions', 'submitters', 'updatedBy'),
    ],
  },
  {
    route: 'PUT /blog/editor/return/id/:id',
    access: EDITOR,
    ...allBlogs('return'),
    body: { note: NOTE },
    effects: [
      update(
        ...['submitted', 'drafted', 'updatedBy'],
        ...['at', 'by', 'note'].map((field) => `returned.${field}`),
      ),
    ],
  },
  {
    route: 'PUT /blog/editor/assign/id/:id',
    access: EDITOR,
    ...allBlogs('assign'),
    body: { editor: [null, ({ people }: Call) => people.editor._id] },
    effects: ['update blogs: events, rev, updatedBy'],
  },
  {
    route: 'PUT /blog/editor/publish/id/:id',
    access: EDITOR,
    ...allBlogs('publish'),
    effects: [
      update(
        ...['submitted', 'published', 'publishedAt', 'text', 'updatedBy', ...LIVE],
        ...['contributors', 'liveSubmitters', 'publicChanges', 'revisions'],
      ),
    ],
  },
  {
    route: 'PUT /blog/editor/unpublish/id/:id',
    access: EDITOR,
    ...allBlogs('unpublish'),
    effects: [
      update('contributors', 'drafted', 'published', 'publicChanges', 'formerSlugs', ...LIVE),
    ],
  },
];
