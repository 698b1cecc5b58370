import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers carry an ETag of their bytes and honour `If-None-Match`. */
    readonly conditional?: boolean;
  }
}

/** Route config that marks a public read; see `registerConditionalGet`. */
export const CONDITIONAL = { conditional: true } as const;

/**
 * Gives the routes that are marked CONDITIONAL a strong ETag and 304 (RFC 9110, section 13.1.2).
 * A hook of those routes alone, so that nothing else pays for it.
 */
export function registerConditionalGet(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.config?.conditional !== true) return;
    const hooks = [route.onSend ?? []].flat();
    // An automatic HEAD route brings the hooks of its GET along, and one that empties the payload.
    if (!hooks.includes(sendConditionally)) route.onSend = [sendConditionally, ...hooks];
  });
}

function sendConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  if (reply.statusCode !== 200 || typeof payload !== 'string') {
    done(null, payload);
    return;
  }
  const tag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
  // With a list of CORS origins the answer varies by those as well.
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', ');
  void reply.headers({ 'cache-control': 'no-cache', vary, etag: tag });
  if (!matchesTag(request.headers['if-none-match'], tag)) {
    done(null, payload);
    return;
  }
  void reply.code(304).removeHeader('content-type').removeHeader('content-length');
  // The hook that empties the payload of a HEAD route measures it first, and fails on none.
  done(null, request.method === 'HEAD' ? payload : null);
}

/** Weak comparison: a `W/` before the same opaque tag matches. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const given = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return given.some((candidate) => candidate.replace(/^W\//, '') === tag);
}
