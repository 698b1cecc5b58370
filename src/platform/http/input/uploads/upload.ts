import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The only accepted media type of the body of an upload. */
export const UPLOAD_TYPE = 'multipart/form-data';

/** A file that a request has sent, as it lies on the disk until the request is answered. */
export interface Upload {
  readonly path: string;
  /** The name that the client gave it; '' for none. It is nothing but a text of the client. */
  readonly name: string;
  /** SHA-256 of its bytes, in hex. */
  readonly digest: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes a file, as `multipart/form-data`. */
    readonly isUpload?: boolean;
    /** Milliseconds that the server may work on a request; the common deadline if left out. */
    readonly deadlineMs?: number;
  }
  interface FastifyRequest {
    /** The file of the body; null if the body has none, or the route takes none. */
    upload: Upload | null;
  }
}

/**
 * Injects the file of an upload. Its digest stands in the body as `file`, so the DTO of the body demands it, and
 * `Idempotency-Key` tells two files apart.
 */
export const UploadedFile = createParamDecorator(
  (_: unknown, context: ExecutionContext): Upload | null =>
    context.switchToHttp().getRequest<FastifyRequest>().upload,
);
