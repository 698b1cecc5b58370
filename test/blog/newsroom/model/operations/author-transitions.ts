import fc from 'fast-check';
import {
  anyNote,
  contentOf,
  drawnContent,
  fieldsOf,
  operation,
  revisionIndex,
  type Call,
} from './operation.js';
import {
  asAuthor,
  isForeign,
  isSlugFree,
  put,
  refusedOrEdited,
  refusedOrMade,
  withoutData,
} from './transition-support.js';
import {
  contribute,
  makeDraft,
  isStale,
  addRevision,
  NOT_FOUND,
  noteTransition,
  refusal,
  STALE,
  type Outcome,
} from '../rules.js';
import { AUTHORS, isGone, isLive, type ModelBlog, type ModelRevision, type Who } from '../world.js';

const TRANSITION = { by: AUTHORS, isConditional: true } as const;
const WITHOUT_ARGS = { ...TRANSITION, args: fc.constant(null) } as const;

const trashRefusal = (call: Call<unknown>): Outcome | null => {
  if (isForeign(call) || call.blog.state !== 'in trash') return NOT_FOUND;
  return isStale(call) ? STALE : null;
};

/** The revision that is `index` revisions older than the latest; undefined if there is none. */
function revisionAt({ revisions }: ModelBlog, index: number): ModelRevision | undefined {
  return revisions.at(-1 - index);
}

/** Who wrote the kept revisions since the publication before this revision. */
function writersOf({ revisions }: ModelBlog, rev: number): Who[] {
  const until = revisions.filter((revision) => revision.rev < rev);
  const published = until.findLastIndex(({ move }) => move === 'publish');
  const own = revisions.filter((revision) => revision.rev === rev);
  return [...until.slice(published + 1), ...own]
    .filter(({ move }) => move !== 'publish')
    .map(({ by }) => by);
}

export const AUTHOR_TRANSITIONS = {
  edit: operation({
    ...TRANSITION,
    args: drawnContent,
    request: put('/blog/author/id', ({ args, world }) => fieldsOf(contentOf(args, world.run))),
    rule: (call) => {
      if (isForeign(call)) return NOT_FOUND;
      const content = contentOf(call.args, call.world.run);
      return refusedOrEdited('edit', call, content) ?? asAuthor(call);
    },
  }),

  submit: operation({
    ...TRANSITION,
    args: fc.option(anyNote),
    request: put('/blog/author/submit/id', ({ args }) => (args ? { note: args } : undefined)),
    rule: (call) => {
      if (isForeign(call)) return NOT_FOUND;
      const { world, by, args: note } = call;
      const refused = refusedOrMade('submit', call, (blog) => {
        blog.state = isLive(blog) ? 'live in review' : 'in review';
        contribute(blog, by);
        Object.assign(blog, { wasSubmitted: true, note, returned: null });
      });
      if (refused) return refused;
      addRevision(world, call.blog, 'submit', by);
      return asAuthor(call);
    },
  }),

  withdraw: operation({
    ...WITHOUT_ARGS,
    request: put('/blog/author/withdraw/id'),
    rule: (call) => {
      if (isForeign(call)) return NOT_FOUND;
      return refusedOrMade('withdraw', call, makeDraft) ?? asAuthor(call);
    },
  }),

  discard: operation({
    ...WITHOUT_ARGS,
    request: put('/blog/author/discard'),
    rule: (call) => {
      if (isForeign(call)) return NOT_FOUND;
      const change = (blog: ModelBlog): void =>
        void Object.assign(blog, { state: 'live', working: blog.live });
      return refusedOrMade('discard', call, change) ?? asAuthor(call);
    },
  }),

  delete: operation({
    ...WITHOUT_ARGS,
    request: ({ blog }) => ({ method: 'DELETE', path: `/blog/author/id/${blog._id}` }),
    rule: (call) => {
      if (isForeign(call)) return NOT_FOUND;
      const change = (blog: ModelBlog): void =>
        void Object.assign(blog, { state: 'in trash', live: null, former: [] });
      return refusedOrMade('delete', call, change) ?? withoutData;
    },
  }),

  restore: operation({
    ...TRANSITION,
    args: revisionIndex,
    // After a concurrent transition the index may mean another revision.
    isAtomic: false,
    request: ({ blog, args }) => ({
      method: 'PUT',
      path: `/blog/author/restore/id/${blog._id}/${revisionAt(blog, args)?.rev ?? 999}`,
    }),
    rule: (call) => {
      if (isForeign(call) || isGone(call.blog)) return NOT_FOUND;
      const revision = revisionAt(call.blog, call.args);
      if (!revision) return refusal(404, 'revision not found');
      const { rev } = call.blog;
      const writers = writersOf(call.blog, revision.rev);
      const refused = refusedOrEdited('edit', call, revision.content);
      if (refused) return refused;
      if (call.blog.rev > rev) contribute(call.blog, ...writers);
      return asAuthor(call);
    },
  }),

  undelete: operation({
    ...WITHOUT_ARGS,
    // The server tries one slug after another.
    isAtomic: false,
    request: put('/blog/author/undelete/id'),
    rule: (call) => {
      const refused = trashRefusal(call);
      if (refused) return refused;
      const { world, blog, by } = call;
      const { slug } = blog.working;
      const candidates = [slug, ...[2, 3, 4].map((ending) => `${slug}-${ending}`)];
      const free = candidates.find((candidate) => isSlugFree(world, blog, candidate)) ?? slug;
      Object.assign(blog, { state: 'draft', working: { ...blog.working, slug: free } });
      noteTransition(blog, 'undelete', by);
      return asAuthor(call);
    },
  }),

  purge: operation({
    ...WITHOUT_ARGS,
    request: ({ blog }) => ({ method: 'DELETE', path: `/blog/author/trash/id/${blog._id}` }),
    rule: (call) => {
      const refused = trashRefusal(call);
      if (refused) return refused;
      call.blog.state = 'purged';
      return withoutData;
    },
  }),
} as const;
