import {
  allBlogs,
  OF_PREVIEWS,
  ownBlogs,
  withForeign,
  OF_TRASH,
  ofRevisions,
} from '../outcomes.js';
import { AUTHOR, EDITOR, KEY, PAGE, type Row, type Call, type TargetFactory } from '../row.js';
import { unknownId, type State, STATES } from '../../support/factories.js';
import { NEW_BLOG, EDIT } from './editorial-rows.js';
import { newBlog, newTrashedBlog, newRevision, SUBMITTED_REV } from '../calls.js';

/** The latest comment that a target was made with, by blog. */
const comments = new Map<string, string>();

/** A new blog with a comment, which quotes the blog. */
function commentedBlog(role: 'author' | 'editor', state: State): TargetFactory {
  return async (fixture) => {
    const blog = await newBlog(state)(fixture);
    const { client } = fixture.people[role === 'author' ? 'AUTHOR' : 'EDITOR'];
    const comment = { text: 'Which engine is this?', quote: 'algebraic patterns' };
    const { body } = await client.post(`/blog/${role}/comments/id/${blog}`, comment);
    comments.set(blog, body.data._id);
    return blog;
  };
}

/** The parameters of a comment. */
function comment(role: 'author' | 'editor', state: State): TargetFactory {
  return async (fixture) => {
    const blog = await commentedBlog(role, state)(fixture);
    return `${blog}/${comments.get(blog)}`;
  };
}

const unknownComment: TargetFactory = async (fixture) =>
  `${await newBlog('live')(fixture)}/${unknownId()}`;

const NEW_COMMENT = {
  body: {
    text: ['Which engine is this?'],
    quote: ['algebraic patterns', undefined],
    replyTo: [undefined, ({ target }: Call) => comments.get(target), unknownId],
  },
  effects: ['insert blog_comments: _id, at, blog, by, quote, resolved, rev, text'],
} as const;

const CHANGED_COMMENT = {
  body: { text: ['Which engine do you mean?', undefined], resolved: [true, false, undefined] },
  effects: ['update blog_comments: resolved, text'],
} as const;

const AUTHORS_BLOGS = [
  commentedBlog('author', 'draft'),
  commentedBlog('editor', 'live in review'),
  unknownId,
];
const EDITORS_BLOGS = [
  commentedBlog('editor', 'in review'),
  commentedBlog('author', 'live with draft'),
  unknownId,
];
const AUTHORS_COMMENTS = [comment('author', 'draft'), comment('editor', 'live'), unknownComment];
const EDITORS_COMMENTS = [
  comment('editor', 'in review'),
  comment('author', 'live'),
  unknownComment,
];

const AUTHORS = { access: AUTHOR, ...ownBlogs('read') } as const;
const EDITORS = { access: EDITOR, ...allBlogs('editorRead') } as const;
/** What others wrote is not for an editor to change. */
const EDITORS_OWN = { access: EDITOR, ...withForeign(allBlogs('editorRead')) } as const;

/** What editors and authors do beside writing and publishing. */
export const COMMENT_ROWS: readonly Row[] = [
  {
    route: 'GET /blog/author/comments/id/:id',
    ...AUTHORS,
    targets: AUTHORS_BLOGS,
    query: PAGE,
  },
  {
    route: 'POST /blog/author/comments/id/:id',
    ...AUTHORS,
    targets: AUTHORS_BLOGS,
    ...NEW_COMMENT,
  },
  {
    route: 'PUT /blog/author/comments/id/:id/:comment',
    ...AUTHORS,
    targets: AUTHORS_COMMENTS,
    ...CHANGED_COMMENT,
  },
  {
    route: 'DELETE /blog/author/comments/id/:id/:comment',
    ...AUTHORS,
    targets: AUTHORS_COMMENTS,
    effects: ['delete blog_comments'],
  },
  {
    route: 'GET /blog/editor/comments/id/:id',
    ...EDITORS,
    targets: EDITORS_BLOGS,
    query: PAGE,
  },
  {
    route: 'POST /blog/editor/comments/id/:id',
    ...EDITORS,
    targets: EDITORS_BLOGS,
    ...NEW_COMMENT,
  },
  {
    route: 'PUT /blog/editor/comments/id/:id/:comment',
    ...EDITORS_OWN,
    targets: EDITORS_COMMENTS,
    ...CHANGED_COMMENT,
  },
  {
    route: 'DELETE /blog/editor/comments/id/:id/:comment',
    ...EDITORS_OWN,
    targets: EDITORS_COMMENTS,
    effects: ['delete blog_comments'],
  },
];

const REVISED_BLOGS = [newBlog('live with draft'), newBlog('draft'), unknownId];

export const REVISION_ROWS: readonly Row[] = [
  {
    route: 'GET /blog/author/revisions/id/:id',
    access: AUTHOR,
    ...ownBlogs('read'),
    query: PAGE,
  },
  {
    route: 'GET /blog/author/revisions/id/:id/:rev',
    access: AUTHOR,
    ...ofRevisions('revisionRead', 'own'),
  },
  {
    route: 'GET /blog/author/diff/id/:id',
    access: AUTHOR,
    ...ofRevisions('revisionRead', 'own'),
    targets: REVISED_BLOGS,
    query: { from: [SUBMITTED_REV], to: [SUBMITTED_REV, 'working'] },
  },
  {
    route: 'PUT /blog/author/restore/id/:id/:rev',
    access: AUTHOR,
    ...ofRevisions('restore', 'own'),
    // Of a working copy that differs from the revision in every field.
    targets: [newRevision('live with draft'), newRevision('in review'), newRevision('draft')],
    effects: [EDIT],
  },
  {
    route: 'GET /blog/editor/revisions/id/:id',
    access: EDITOR,
    ...allBlogs('editorRead'),
    query: PAGE,
  },
  {
    route: 'GET /blog/editor/revisions/id/:id/:rev',
    access: EDITOR,
    ...ofRevisions('revisionRead', 'all'),
  },
  {
    route: 'GET /blog/editor/diff/id/:id',
    access: EDITOR,
    ...ofRevisions('revisionRead', 'all'),
    targets: REVISED_BLOGS,
    query: { from: [SUBMITTED_REV], to: [SUBMITTED_REV] },
  },
];

const NEW_PREVIEW = {
  body: { expiresIn: ['1h', undefined, '30d'] },
  effects: ['insert blog_previews: _id, blog, createdAt, expiresAt, generation, issuer, kind'],
};

/** It deletes the previews as well, and the blogs of these tests have none. */
const END_PREVIEWS = { effects: ['update blogs: previewGeneration'] };

export const PREVIEW_ROWS: readonly Row[] = [
  {
    route: 'POST /blog/author/preview/id/:id',
    access: AUTHOR,
    ...ownBlogs('read'),
    ...NEW_PREVIEW,
  },
  {
    route: 'DELETE /blog/author/preview/id/:id',
    access: AUTHOR,
    ...ownBlogs('read'),
    ...END_PREVIEWS,
  },
  {
    route: 'POST /blog/editor/preview/id/:id',
    access: EDITOR,
    ...allBlogs('editorPreview'),
    ...NEW_PREVIEW,
  },
  {
    route: 'DELETE /blog/editor/preview/id/:id',
    access: EDITOR,
    ...allBlogs('editorRead'),
    ...END_PREVIEWS,
  },
  { route: 'GET /blog/preview/:token', access: KEY, ...OF_PREVIEWS },
];

const inHours = (hours: number) => (): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString();

/** A new blog with both times, which `unschedule` clears. */
const scheduledBlog: TargetFactory = async (fixture) => {
  const blog = await newBlog('in review')(fixture);
  const times = { publishAt: inHours(1)(), unpublishAt: inHours(2)() };
  await fixture.people.EDITOR.client.put(`/blog/editor/schedule/id/${blog}`, times);
  return blog;
};

const SCHEDULED = ['dueAt', 'schedule.publish.at', 'schedule.publish.by'];
const SCHEDULED_END = ['schedule.unpublish.at', 'schedule.unpublish.by'];

export const SCHEDULE_ROWS: readonly Row[] = [
  {
    route: 'PUT /blog/editor/schedule/id/:id',
    access: EDITOR,
    ...allBlogs('schedule'),
    body: { publishAt: [inHours(1), undefined], unpublishAt: [inHours(2), undefined] },
    effects: [
      `update blogs: ${['events', 'rev', 'updatedBy', ...SCHEDULED, ...SCHEDULED_END].sort().join(', ')}`,
    ],
  },
  {
    route: 'PUT /blog/editor/unschedule/id/:id',
    access: EDITOR,
    ...allBlogs('unschedule'),
    targets: [scheduledBlog, ...STATES.map((state) => newBlog(state)), unknownId],
    effects: [
      `update blogs: ${['events', 'rev', ...SCHEDULED, ...SCHEDULED_END].sort().join(', ')}`,
    ],
  },
  { route: 'GET /blog/editor/scheduled', access: EDITOR, query: PAGE },
];

const TRASHED = {
  ...OF_TRASH,
  targets: [newTrashedBlog('draft'), newTrashedBlog('live'), newBlog('draft'), unknownId],
} as const;

/** Only the id and the events of a purged blog are left, until the outbox relay has stored them. */
const GONE = [
  ...NEW_BLOG.filter((field) => field !== '_id'),
  ...['deletedAt', 'previewGeneration', 'removed', 'trashedAt'],
];

export const TRASH_ROWS: readonly Row[] = [
  { route: 'GET /blog/author/trash', access: AUTHOR, query: PAGE },
  {
    route: 'PUT /blog/author/undelete/id/:id',
    access: AUTHOR,
    ...TRASHED,
    effects: ['update blogs: deletedAt, drafted, events, rev, slugs, status, trashedAt, updatedAt'],
  },
  {
    route: 'DELETE /blog/author/trash/id/:id',
    access: AUTHOR,
    ...TRASHED,
    effects: [`update blogs: ${GONE.sort().join(', ')}`],
    alsoWrites: ['blog_comments'],
  },
];
