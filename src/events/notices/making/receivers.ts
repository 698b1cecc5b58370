import type { Types } from 'mongoose';
import type { DeskBlog } from '../../../blog/core/lists/blog-readers.service.js';
import type { BlogAct } from '../../../blog/history/blog-acts.service.js';
import type { NoticeKind } from '../notice-kinds.js';

interface Context {
  readonly act: BlogAct;
  readonly blog: DeskBlog;
  /** All enabled editors. */
  readonly editors: () => Promise<readonly Types.ObjectId[]>;
}

type Users = readonly Types.ObjectId[];
type Receivers = (context: Context) => Users | Promise<Users>;

/** Whom an act is told, by the kind of the notice. Whoever gets several kinds gets the first. */
type ByKind = Readonly<Partial<Record<NoticeKind, Receivers>>>;

const author: Receivers = ({ blog }) => [blog.author];
/** The assigned editor, else all editors. */
const editorial: Receivers = ({ blog: { assignedTo }, editors }) =>
  assignedTo ? [assignedTo] : editors();

const SCHEDULE_FAILED: ByKind = {
  scheduleFailed: async (context) => [context.blog.author, ...(await editorial(context))],
};

const RECEIVERS: Readonly<Partial<Record<BlogAct['what'], ByKind>>> = {
  submit: { submitted: editorial },
  return: { returned: author },
  publish: { published: author },
  handOver: { handedOver: author },
  clearPublication: SCHEDULE_FAILED,
  unschedule: SCHEDULE_FAILED,
  comment: {
    mentioned: ({ act }) => act.comment?.mentions ?? [],
    commented: ({ act, blog: { author: writer, assignedTo } }) => [
      writer,
      ...(assignedTo ? [assignedTo] : []),
      ...(act.comment?.others ?? []),
    ],
  },
};

/** @returns null for an act of which nobody is told */
export function receiversOf({ what, by }: BlogAct): ByKind | null {
  // An editor who ends a schedule knows of it. The server ends one that cannot be kept.
  if (what === 'unschedule' && by !== null) return null;
  return RECEIVERS[what] ?? null;
}
