import fc from 'fast-check';
import { commentView } from '../views.js';
import { operation, quoted, quoteOf, recent, text, type Call } from './operation.js';
import { NOT_FOUND, refusal, type Outcome } from '../rules.js';
import {
  AUTHORS,
  EDITORS,
  isGone,
  isKnownToEditors,
  type ModelBlog,
  type ModelComment,
} from '../world.js';

type Role = 'author' | 'editor';

const UNKNOWN = 'ffffffffffffffffffffffff';
const idAt = ({ comments }: ModelBlog, index: number): string =>
  comments.at(-1 - index)?._id ?? UNKNOWN;

/** Whether the user may comment on the blog. */
function mayComment(role: Role, { blog, by }: Pick<Call<unknown>, 'blog' | 'by'>): boolean {
  return role === 'author' ? !isGone(blog) && blog.author === by : isKnownToEditors(blog);
}

/** The comment that a call names, or the refusal. */
function commentOf(
  role: Role,
  call: Call<unknown>,
  index: number,
  needsOwn: boolean,
): ModelComment | Outcome {
  if (!mayComment(role, call)) return NOT_FOUND;
  const comment = call.blog.comments.at(-1 - index);
  if (!comment) return refusal(404, 'comment not found');
  if (!needsOwn || comment.by === call.by) return comment;
  return refusal(403, 'the comment is not yours: reply to it or resolve it instead');
}

const isOutcome = (found: ModelComment | Outcome): found is Outcome => 'status' in found;

const commentsOf = <R extends Role>(role: R) => {
  const by = role === 'author' ? AUTHORS : EDITORS;
  const path = ({ blog }: Pick<Call<unknown>, 'blog'>): string =>
    `/blog/${role}/comments/id/${blog._id}`;
  return {
    [`${role}Comments`]: operation({
      by,
      // It stores the comment with the revision that it has read, and searches for the quote later.
      isAtomic: false,
      args: fc.record({
        text,
        quote: fc.option(quoted, { freq: 1 }),
        replyTo: fc.option(recent, { freq: 1 }),
      }),
      request: (call) => {
        const { quote, replyTo } = call.args;
        return {
          method: 'POST',
          path: path(call),
          body: {
            text: call.args.text,
            ...(quote === null ? {} : { quote: quoteOf(quote) }),
            ...(replyTo === null ? {} : { replyTo: idAt(call.blog, replyTo) }),
          },
        };
      },
      rule: (call, { data }) => {
        const { world, blog, args } = call;
        if (!mayComment(role, call)) return NOT_FOUND;
        const replyTo = args.replyTo === null ? null : idAt(blog, args.replyTo);
        if (replyTo === UNKNOWN) {
          return refusal(
            400,
            'replyTo must be the _id of a comment on this blog: it may have been deleted',
          );
        }
        const comment = {
          _id: String(data['_id']),
          by: call.by,
          text: args.text,
          quote: args.quote,
          replyTo,
          resolved: false,
          rev: blog.rev,
        };
        blog.comments.push(comment);
        return { status: 200, data: commentView(world, blog, role, comment) };
      },
    }),

    [`${role}ChangesComment`]: operation({
      by,
      isAtomic: false,
      args: fc.record({
        comment: recent,
        text: fc.option(text),
        resolved: fc.option(fc.boolean()),
      }),
      request: (call) => ({
        method: 'PUT',
        path: `${path(call)}/${idAt(call.blog, call.args.comment)}`,
        body: {
          ...(call.args.text === null ? {} : { text: call.args.text }),
          ...(call.args.resolved === null ? {} : { resolved: call.args.resolved }),
        },
      }),
      rule: (call) => {
        const { world, blog, args } = call;
        const comment = commentOf(role, call, args.comment, args.text !== null);
        if (isOutcome(comment)) return comment;
        comment.text = args.text ?? comment.text;
        comment.resolved = args.resolved ?? comment.resolved;
        return { status: 200, data: commentView(world, blog, role, comment) };
      },
    }),

    [`${role}RemovesComment`]: operation({
      by,
      args: recent,
      isAtomic: false,
      request: (call) => ({
        method: 'DELETE',
        path: `${path(call)}/${idAt(call.blog, call.args)}`,
      }),
      rule: (call) => {
        const { blog, args } = call;
        const comment = commentOf(role, call, args, true);
        if (isOutcome(comment)) return comment;
        blog.comments = blog.comments.filter((other) => other !== comment);
        return { status: 200 };
      },
    }),
  };
};

export const COMMENT_OPERATIONS = { ...commentsOf('author'), ...commentsOf('editor') };
