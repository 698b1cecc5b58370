import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CacheHeaders } from '../headers/public-cache.js';
import { acceptedCodings } from './content-coding.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route's responses have a strong ETag, and are 304 if `If-None-Match` contains it. */
    readonly conditional?: boolean;
  }
}

/** Route config that marks a public read; see `registerConditionalGet`. */
export const CONDITIONAL = { conditional: true } as const;

/** An `onSend` hook. */
export type OnSendHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
) => void;

/**
 * Adds a strong ETag and 304 responses (RFC 9110, section 13.1.2) to the routes with CONDITIONAL. Other
 * routes get no hook.
 *
 * @param beforeNotModified `onSend` hooks that get the full response with its ETag, before it may become a
 *   304
 * @param cacheHeaders returns the headers that tell caches how long they may keep the response that is sent
 *   now, and which request headers it depends on (`vary`)
 */
export function registerConditionalGet(
  fastify: FastifyInstance,
  beforeNotModified: readonly OnSendHook[],
  cacheHeaders: () => CacheHeaders,
): void {
  const addEntityTag = entityTagAdder(cacheHeaders);
  fastify.addHook('onRoute', (route) => {
    if (route.config?.conditional !== true) return;
    const hooks = [route.onSend ?? []].flat();
    // Fastify's automatic HEAD route already has the hooks of its GET route, and a hook that empties the
    // payload.
    if (hooks.includes(addEntityTag)) return;
    route.onSend = [addEntityTag, ...beforeNotModified, sendNotModified, ...hooks];
  });
}

/** Returns a hook that adds the ETag of the payload, and the headers for caches. */
function entityTagAdder(cacheHeaders: () => CacheHeaders): OnSendHook {
  return (_request, reply, payload, done) => {
    if (reply.statusCode === 200 && typeof payload === 'string') {
      const { vary, ...headers } = cacheHeaders();
      const tag = `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`;
      // The CORS headers already contain `Vary: Origin` if only some origins are allowed.
      const varies = [reply.getHeader('vary'), vary].filter(Boolean).join(', ');
      void reply.headers({ ...headers, vary: varies, etag: tag });
    }
    done(null, payload);
  };
}

const sendNotModified: OnSendHook = (request, reply, payload, done) => {
  const tag = reply.getHeader('etag');
  const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers;
  const match =
    ifNoneMatch !== undefined && reply.statusCode === 200 && typeof tag === 'string'
      ? matchingTag(ifNoneMatch, tag, acceptEncoding)
      : null;
  if (match === null) {
    done(null, payload);
    return;
  }
  void reply.code(304).header('etag', match);
  void reply.removeHeader('content-type').removeHeader('content-length');
  // Fastify's hook for HEAD reads the length of the payload, and fails on null.
  done(null, request.method === 'HEAD' ? payload : null);
};

/**
 * Returns the ETag of a compressed response. It differs from the tag of the plain bytes, because responses
 * with different bytes need different strong tags.
 */
export function codedTag(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

/**
 * Finds the tag of the response in `If-None-Match`: the tag of the plain bytes, or of a content
 * coding that the client accepts. The comparison is weak (RFC 9110, section 8.8.3.2).
 *
 * @returns the tag that matches, or null
 */
export function matchingTag(
  ifNoneMatch: string,
  tag: string,
  acceptEncoding: string | undefined,
): string | null {
  // In most requests the header is exactly this tag, and need not be parsed.
  if (ifNoneMatch === tag) return tag;
  if (ifNoneMatch.trim() === '*') return tag;
  const headerTags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  const knownTags = new Set(headerTags.map((candidate) => candidate.replace(/^W\//, '')));
  if (knownTags.has(tag)) return tag;
  const codedTags = acceptedCodings(acceptEncoding).map((coding) => codedTag(tag, coding));
  return codedTags.find((candidate) => knownTags.has(candidate)) ?? null;
}
