import {
  allBlogs,
  OF_PREVIEWS,
  ownBlogs,
  othersForbidden,
  OF_TRASH,
  ofRevisions,
} from '../outcomes.js';
import { AUTHOR, EDITOR, KEY, PAGE, type Row, type Call, type TargetFactory } from '../row.js';
import { unknownId, type State, STATES } from '../../support/factories.js';
import { NEW_BLOG, SET_BACK } from './editorial-rows.js';
import { newBlog, newTrashedBlog, newRevision, SUBMITTED_REV } from '../calls.js';

type Side = 'author' | 'editor';

/** The access and the outcomes of a side for the blogs that it sees. */
const READS = {
  author: { access: AUTHOR, ...ownBlogs('read') },
  editor: { access: EDITOR, ...allBlogs('editorRead') },
} as const;

/** The id of the comment that `commentedBlog` made, by the id of its blog. */
const comments = new Map<string, string>();

/** Makes a new blog with a comment, which quotes the blog. */
function commentedBlog(side: Side, state: State): TargetFactory {
  return async (fixture) => {
    const blog = await newBlog(state)(fixture);
    const { client } = fixture.people[side === 'author' ? 'AUTHOR' : 'EDITOR'];
    const comment = { text: 'Which engine is this?', quote: 'algebraic patterns' };
    const { body } = await client.post(`/blog/${side}/comments/id/${blog}`, comment);
    comments.set(blog, body.data._id);
    return blog;
  };
}

/** Makes a target `<blog>/<comment>`. */
function newComment(side: Side, state: State): TargetFactory {
  return async (fixture) => {
    const blog = await commentedBlog(side, state)(fixture);
    return `${blog}/${comments.get(blog)}`;
  };
}

const unknownComment: TargetFactory = async (fixture) =>
  `${await newBlog('live')(fixture)}/${unknownId()}`;

/**
 * @param ownState the state of a blog on which this side comments
 * @param othersState the state of a blog on which the other side comments, for GET and POST
 */
function commentRows(side: Side, ownState: State, othersState: State): Row[] {
  const other = side === 'author' ? 'editor' : 'author';
  const reads = READS[side];
  // An editor may not change what others wrote.
  const changes = side === 'author' ? reads : { ...reads, ...othersForbidden(reads) };
  const blogs = [commentedBlog(side, ownState), commentedBlog(other, othersState), unknownId];
  const targets = [newComment(side, ownState), newComment(other, 'live'), unknownComment];
  const path = `/blog/${side}/comments/id/:id`;
  return [
    { route: `GET ${path}`, ...reads, targets: blogs, query: PAGE },
    {
      route: `POST ${path}`,
      ...reads,
      targets: blogs,
      body: {
        text: ['Which engine is this?'],
        quote: ['algebraic patterns', undefined],
        replyTo: [undefined, ({ target }: Call) => comments.get(target), unknownId],
        mentions: [[], undefined, () => [unknownId()]],
      },
      effects: ['insert blog_comments: _id, at, blog, by, mentions, quote, resolved, rev, text'],
    },
    {
      route: `PUT ${path}/:comment`,
      ...changes,
      targets,
      body: { text: ['Which engine do you mean?', undefined], resolved: [true, false, undefined] },
      effects: ['update blog_comments: resolved, text'],
    },
    {
      route: `DELETE ${path}/:comment`,
      ...changes,
      targets,
      effects: ['delete blog_comments'],
    },
  ];
}

function revisionRows(side: Side): Row[] {
  const { access } = READS[side];
  const revisions = ofRevisions('revisionRead', side === 'author' ? 'own' : 'all');
  return [
    { route: `GET /blog/${side}/revisions/id/:id`, ...READS[side], query: PAGE },
    { route: `GET /blog/${side}/revisions/id/:id/:rev`, access, ...revisions },
    {
      route: `GET /blog/${side}/diff/id/:id`,
      access,
      ...revisions,
      targets: [newBlog('live with draft'), newBlog('draft'), unknownId],
      // Only an author may compare a revision with the working copy.
      query: {
        from: [SUBMITTED_REV],
        to: [SUBMITTED_REV, ...(side === 'author' ? ['working'] : [])],
      },
    },
  ];
}

/** @param creation the outcomes of creating a preview, if they differ from those of reading the blog */
function previewRows(side: Side, creation: Partial<Row>): Row[] {
  const reads = READS[side];
  const route = `/blog/${side}/preview/id/:id`;
  return [
    {
      route: `POST ${route}`,
      ...reads,
      ...creation,
      body: { expiresIn: ['1h', undefined, '30d'] },
      effects: ['insert blog_previews: _id, blog, createdAt, expiresAt, generation, issuer, kind'],
    },
    // The route also deletes previews, but the blogs of these tests have none.
    { route: `DELETE ${route}`, ...reads, effects: ['update blogs: previewGeneration'] },
  ];
}

const inHours = (hours: number) => (): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString();

/** A new blog with a time to publish and a time to unpublish, which `unschedule` clears. */
const scheduledBlog: TargetFactory = async (fixture) => {
  const blog = await newBlog('in review')(fixture);
  const times = { publishAt: inHours(1)(), unpublishAt: inHours(2)() };
  await fixture.people.EDITOR.client.put(`/blog/editor/schedule/id/${blog}`, times);
  return blog;
};

const SCHEDULE =
  'schedule.publish.at, schedule.publish.by, schedule.unpublish.at, schedule.unpublish.by';

const TRASHED = {
  access: AUTHOR,
  ...OF_TRASH,
  targets: [newTrashedBlog('draft'), newTrashedBlog('live'), newBlog('draft'), unknownId],
} as const;

/** The fields that a purge changes. It replaces the blog by a tombstone with `_id`, `removed` and `events`. */
const PURGE_FIELDS = [
  ...NEW_BLOG.filter((field) => field !== '_id'),
  'deletedAt',
  'previewGeneration',
  'removed',
  'trashedAt',
];

/** What editors and authors do in addition to writing and publishing. */
export const NEWSROOM_ROWS: readonly Row[] = [
  ...commentRows('author', 'draft', 'live in review'),
  ...commentRows('editor', 'in review', 'live with draft'),
  ...revisionRows('author'),
  ...revisionRows('editor'),
  {
    route: 'PUT /blog/author/restore/id/:id/:rev',
    access: AUTHOR,
    ...ofRevisions('restore', 'own'),
    // The working copy of the first target differs in every field from its revision, which is live.
    targets: [newRevision('live with draft'), newRevision('in review'), newRevision('draft')],
    effects: [SET_BACK],
  },
  ...previewRows('author', {}),
  ...previewRows('editor', allBlogs('editorPreview')),
  { route: 'GET /blog/preview/:token', access: KEY, ...OF_PREVIEWS },
  {
    route: 'PUT /blog/editor/schedule/id/:id',
    access: EDITOR,
    ...allBlogs('schedule'),
    body: { publishAt: [inHours(1), undefined], unpublishAt: [inHours(2), undefined] },
    effects: [`update blogs: dueAt, events, rev, ${SCHEDULE}, updatedBy`],
  },
  {
    route: 'PUT /blog/editor/unschedule/id/:id',
    access: EDITOR,
    ...allBlogs('unschedule'),
    targets: [scheduledBlog, ...STATES.map((state) => newBlog(state)), unknownId],
    effects: [`update blogs: dueAt, events, rev, ${SCHEDULE}`],
  },
  { route: 'GET /blog/editor/scheduled', access: EDITOR, query: PAGE },
  { route: 'GET /blog/author/trash', access: AUTHOR, query: PAGE },
  {
    route: 'PUT /blog/author/undelete/id/:id',
    ...TRASHED,
    effects: ['update blogs: deletedAt, drafted, events, rev, slugs, status, trashedAt, updatedAt'],
  },
  {
    route: 'DELETE /blog/author/trash/id/:id',
    ...TRASHED,
    effects: [`update blogs: ${PURGE_FIELDS.sort().join(', ')}`],
    alsoWrites: ['blog_comments'],
  },
];
