import fc from 'fast-check';
import { HOUR } from '../../../../support/time/clock.js';
import { anyNote, contentOf, drawnContent, fieldsOf, operation, someone } from './operation.js';
import {
  asEditor,
  put,
  refusedOrEdited,
  refusedOrMade,
  withoutData,
} from './transition-support.js';
import {
  contribute,
  addRevision,
  isSameContent,
  makeDraft,
  noteTransition,
  publish,
  refusal,
  refusalOf,
  unpublish,
} from '../rules.js';
import { AUTHORS, EDITORS, isGone, type World } from '../world.js';

const TRANSITION = { by: EDITORS, isConditional: true } as const;
const WITHOUT_ARGS = { ...TRANSITION, args: fc.constant(null) } as const;

/** Hours after `startedAt` of the world; null for no time. */
const anyHours = fc.option(fc.integer({ min: 1, max: 3 }), { freq: 2 });
const timeOf = ({ startedAt }: World, hours: number): number => startedAt + hours * HOUR;
const isoOf = (world: World, hours: number): string => new Date(timeOf(world, hours)).toISOString();

export const EDITOR_TRANSITIONS = {
  return: operation({
    ...TRANSITION,
    args: anyNote,
    request: put('/blog/editor/return/id', ({ args: note }) => ({ note })),
    rule: (call) => {
      const { args: note, by } = call;
      const refused = refusedOrMade('return', call, (blog) => {
        makeDraft(blog);
        blog.returned = { note, by };
      });
      return refused ?? asEditor(call);
    },
  }),

  correct: operation({
    ...TRANSITION,
    args: drawnContent,
    request: put('/blog/editor/id', ({ args, world }) => fieldsOf(contentOf(args, world.run))),
    rule: (call) => {
      const { world, blog, by, ifMatch } = call;
      if (ifMatch === null) {
        return refusal(428, 'If-Match is missing: send the ETag of the blog that you have read');
      }
      const content = contentOf(call.args, world.run);
      const isChange = !isSameContent(blog.working, content);
      const refused = refusedOrEdited('correct', call, content);
      if (refused) return refused;
      if (isChange) addRevision(world, blog, 'correct', by);
      return asEditor(call);
    },
  }),

  assign: operation({
    ...TRANSITION,
    args: fc.option(someone),
    request: put('/blog/editor/assign/id', ({ args, world }) => ({
      editor: args && world.people[args]._id,
    })),
    rule: (call) => {
      const { args: assignee } = call;
      if (assignee === 'ann') {
        return refusal(400, 'editor must be the id of an enabled user with the role EDITOR');
      }
      const refused = refusedOrMade('assign', call, (blog) => {
        blog.assigned = assignee;
      });
      return refused ?? asEditor(call);
    },
  }),

  publish: operation({
    ...WITHOUT_ARGS,
    request: put('/blog/editor/publish/id'),
    rule: (call) => {
      const refused = refusalOf(call.world, 'publish', call);
      if (refused) return refused;
      publish(call.world, call.blog, call.by);
      return asEditor(call);
    },
  }),

  unpublish: operation({
    ...WITHOUT_ARGS,
    request: put('/blog/editor/unpublish/id'),
    rule: (call) => {
      const refused = refusalOf(call.world, 'unpublish', call);
      if (refused) return refused;
      const { blog, by } = call;
      const { live } = blog;
      unpublish(blog, by);
      // The editor sees what was live, not a draft that was never submitted.
      return asEditor(call, live ?? blog.working);
    },
  }),

  schedule: operation({
    ...TRANSITION,
    args: fc.record({ publish: anyHours, unpublish: anyHours }),
    request: put(
      '/blog/editor/schedule/id',
      ({ args: { publish: publishHours, unpublish: unpublishHours }, world }) => ({
        ...(publishHours === null ? {} : { publishAt: isoOf(world, publishHours) }),
        ...(unpublishHours === null ? {} : { unpublishAt: isoOf(world, unpublishHours) }),
      }),
    ),
    rule: (call) => {
      const { world, blog, by, args } = call;
      const [publishHours, unpublishHours] = [args.publish, args.unpublish];
      if (publishHours === null && unpublishHours === null) {
        return refusal(422, 'validation error: publishAt or unpublishAt is missing');
      }
      if (publishHours !== null && unpublishHours !== null && unpublishHours <= publishHours) {
        return refusal(422, 'validation error: unpublishAt must be later than publishAt');
      }
      const name = publishHours === null ? 'scheduleUnpublish' : 'schedule';
      const refused = refusalOf(world, name, call);
      if (refused) return refused;
      if (
        publishHours !== null &&
        unpublishHours === null &&
        (blog.unpublish?.at ?? Infinity) <= timeOf(world, publishHours)
      ) {
        return refusal(
          400,
          'blog is to be unpublished before publishAt: send a later unpublishAt as well',
        );
      }
      if (
        unpublishHours !== null &&
        publishHours === null &&
        (blog.publish?.at ?? 0) >= timeOf(world, unpublishHours)
      ) {
        return refusal(
          400,
          'blog is to be published after unpublishAt: send an earlier publishAt as well',
        );
      }
      const laterRefusal = refusedOrMade(name, call, () => {
        if (publishHours !== null) blog.publish = { at: timeOf(world, publishHours), by };
        if (unpublishHours !== null) blog.unpublish = { at: timeOf(world, unpublishHours), by };
      });
      return laterRefusal ?? asEditor(call);
    },
  }),

  unschedule: operation({
    ...WITHOUT_ARGS,
    request: put('/blog/editor/unschedule/id'),
    rule: (call) => {
      const refused = refusedOrMade('unschedule', call, (blog) => {
        Object.assign(blog, { publish: null, unpublish: null });
      });
      return refused ?? asEditor(call);
    },
  }),

  handOver: operation({
    by: AUTHORS,
    asAdmin: true,
    args: fc.constantFrom(...AUTHORS, 'cleo' as const),
    request: ({ blog, args, world }) => ({
      method: 'PUT',
      path: `/admin/blogs/id/${blog._id}/author`,
      body: { user: world.people[args]._id },
    }),
    rule: (call) => {
      const { args: author, blog } = call;
      if (author === 'cleo') {
        return refusal(400, 'user must be the id of an enabled user with the role AUTHOR');
      }
      if (!isGone(blog) && blog.author === author) return withoutData;
      const refused = refusalOf(call.world, 'handOver', call);
      if (refused) return refused;
      if (blog.state !== 'live') contribute(blog, blog.author);
      blog.author = author;
      noteTransition(blog, 'handOver', null);
      return withoutData;
    },
  }),
} as const;
