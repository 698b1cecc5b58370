import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCodings } from './content-coding.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers carry an ETag of their bytes and honour `If-None-Match`. */
    readonly conditional?: boolean;
  }
}

/** Route config that marks a public read; see `registerConditionalGet`. */
export const CONDITIONAL = { conditional: true } as const;

type Send = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
) => void;

/**
 * Gives the routes that are marked CONDITIONAL a strong ETag and 304 (RFC 9110, section 13.1.2).
 * Hooks of those routes alone, so that nothing else pays for them.
 *
 * @param between what may look at the whole answer before it shrinks to a 304
 */
export function registerConditionalGet(fastify: FastifyInstance, between: readonly Send[]): void {
  fastify.addHook('onRoute', (route) => {
    if (route.config?.conditional !== true) return;
    const hooks = [route.onSend ?? []].flat();
    // An automatic HEAD route brings the hooks of its GET along, and one that empties the payload.
    if (hooks.includes(tagAnswer)) return;
    route.onSend = [tagAnswer, ...between, answerNotModified, ...hooks];
  });
}

const tagAnswer: Send = (_request, reply, payload, done) => {
  if (reply.statusCode === 200 && typeof payload === 'string') {
    const tag = `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`;
    // With a list of CORS origins the answer varies by those as well.
    const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', ');
    void reply.headers({ 'cache-control': 'no-cache', vary, etag: tag });
  }
  done(null, payload);
};

const answerNotModified: Send = (request, reply, payload, done) => {
  const tag = reply.getHeader('etag');
  const { 'if-none-match': known, 'accept-encoding': accepted } = request.headers;
  const match =
    known !== undefined && reply.statusCode === 200 && typeof tag === 'string'
      ? matchingTag(known, tag, accepted)
      : null;
  if (match === null) {
    done(null, payload);
    return;
  }
  void reply.code(304).header('etag', match);
  void reply.removeHeader('content-type').removeHeader('content-length');
  // The hook that empties the payload of a HEAD route measures it first, and fails on none.
  done(null, request.method === 'HEAD' ? payload : null);
};

/** The tag of an answer in a content coding: the same answer, other bytes. */
export function codedTag(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

/**
 * Which of an answer's tags the client has: of the plain bytes, or of a coding that it accepts now.
 * Weak comparison: a `W/` before the same opaque tag matches.
 *
 * @returns null when it has none
 */
export function matchingTag(
  ifNoneMatch: string,
  tag: string,
  acceptEncoding: string | undefined,
): string | null {
  // What almost every client sends.
  if (ifNoneMatch === tag) return tag;
  if (ifNoneMatch.trim() === '*') return tag;
  const given = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  const known = new Set(given.map((candidate) => candidate.replace(/^W\//, '')));
  if (known.has(tag)) return tag;
  const coded = acceptedCodings(acceptEncoding).map((coding) => codedTag(tag, coding));
  return coded.find((candidate) => known.has(candidate)) ?? null;
}
