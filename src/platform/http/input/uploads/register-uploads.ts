import { rm } from 'node:fs/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BodyTooLargeError, FrameworkError, UnavailableError } from '../../errors/api.errors.js';
import { FORM_BYTES, readForm, type ReceivedForm } from './form-reader.js';
import { discardRest } from './discard-rest.js';
import { watchRate } from './slow-uploads.js';
import { UPLOAD_TYPE } from './upload.js';

/** Number of uploads that may arrive at a process at a time, and of one account among them. */
const ARRIVING_MAX = 32;
const ARRIVING_PER_ACCOUNT_MAX = 8;

export interface UploadOptions {
  /** The folder in which files lie until their request is answered. */
  readonly folder: string;
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  /** @throws ApiError for a file that begins with bytes of a type that is not accepted */
  readonly checkHead: (head: Buffer) => void;
}

/**
 * Lets the routes with `isUpload` take a file, as `multipart/form-data`. The form is read as any other body is: after
 * the admission, and without counting as work. The file is on the disk when the handler runs, and is removed when
 * the request is answered or its client has gone.
 *
 * This uses the parser of @fastify/multipart, but not that plugin, whose hooks would run on every request.
 *
 * Call it before the admission is registered, which reads the body limit of the route.
 */
export function registerUploads(
  fastify: FastifyInstance,
  { folder, maxBytes, checkHead }: UploadOptions,
): void {
  fastify.decorateRequest('upload', null);
  const paths = new WeakMap<FastifyRequest, string>();
  const removeFile = async (request: FastifyRequest): Promise<void> => {
    const path = paths.get(request);
    if (path !== undefined) await rm(path, { force: true });
  };
  const arriving = new Map<string, number>();
  let total = 0;
  /** @returns false if too many files arrive */
  const enter = (account: string): boolean => {
    const count = arriving.get(account) ?? 0;
    if (total >= ARRIVING_MAX || count >= ARRIVING_PER_ACCOUNT_MAX) return false;
    total += 1;
    arriving.set(account, count + 1);
    return true;
  };
  const leave = (account: string): void => {
    total -= 1;
    const count = (arriving.get(account) ?? 1) - 1;
    if (count === 0) arriving.delete(account);
    else arriving.set(account, count);
  };

  const receive = async (
    request: FastifyRequest,
    payload: FastifyRequest['raw'],
  ): Promise<ReceivedForm['body']> => {
    const account = request.user?.userId.toHexString() ?? '';
    const isEntered = enter(account);
    let isSlow = false;
    const arrived = watchRate(request.raw.socket, () => {
      isSlow = true;
      payload.emit('error', new Error('too slow'));
    });
    try {
      if (!isEntered) {
        throw new UnavailableError('too many files arrive: send this one again in a moment');
      }
      const headers = { ...request.headers, 'content-type': request.headers['content-type'] ?? '' };
      const { body, upload } = await readForm(headers, payload, {
        folder,
        maxBytes,
        checkHead,
        onFile: (path) => paths.set(request, path),
      });
      request.upload = upload;
      return body;
    } catch (error) {
      await removeFile(request);
      // A browser that still sends would not read the refusal, and say nothing but that the connection was reset.
      if (!isSlow && !(error instanceof BodyTooLargeError)) {
        await discardRest(payload, maxBytes + FORM_BYTES);
      }
      throw isSlow ? new FrameworkError('tooSlow') : error;
    } finally {
      arrived();
      if (isEntered) leave(account);
    }
  };
  fastify.addContentTypeParser(UPLOAD_TYPE, receive);
  fastify.addHook('onRoute', (route) => {
    if (route.config?.isUpload !== true) return;
    route.config = { ...route.config, bodyLimit: maxBytes + FORM_BYTES };
    route.onResponse = [...[route.onResponse ?? []].flat(), removeFile];
    // Without a response, because the client has gone, there is no `onResponse`.
    route.onRequestAbort = [...[route.onRequestAbort ?? []].flat(), removeFile];
  });
}
