import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { ApiError, BodyTooLargeError, InvalidBodyError } from '../../errors/api.errors.js';
import { receiveFile } from './file-receiver.js';
import type { Upload } from './upload.js';

/** The name of the part with the file. */
const FILE = 'file';

/** Bounds of what a form may hold beside its file. Sizes are in bytes. */
const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 16_384,
  fields: 1_000,
  files: 1,
  parts: 1_001,
  headerPairs: 20,
  headerSize: 8_192,
} as const;

/** Size of a form without its file, in bytes. */
export const FORM_BYTES = 65_536;

/** What a form has sent: its fields as a JSON body would have them, and its file. */
export interface ReceivedForm {
  /** The fields by name; one that is there twice is a list. `file` is the digest of the file. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly upload: Upload | null;
}

export interface FormOptions {
  /** The folder that the file is written to; made if it is missing. */
  readonly folder: string;
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  /** @throws ApiError for a file that begins with bytes of a type that is not accepted */
  readonly checkHead: (head: Buffer) => void;
  /** Called with the path of the file before anything is written to it. */
  readonly onFile: (path: string) => void;
}

/**
 * Reads a form of `multipart/form-data` (RFC 7578). The file is written to the disk as it arrives, so no file is in
 * memory.
 *
 * @param payload the body; it is left half read if the form is refused
 * @throws ApiError for a malformed form, BodyTooLargeError, InvalidBodyError, and what `checkHead` throws
 */
export async function readForm(
  headers: BusboyHeaders,
  payload: Readable,
  { folder, maxBytes, checkHead, onFile }: FormOptions,
): Promise<ReceivedForm> {
  const form = formOf(headers, maxBytes);
  const fields = new Map<string, string[]>();
  let fieldBytes = 0;
  const streams: BusboyFileStream[] = [];
  const receiving: Promise<Upload>[] = [];
  let upload: Upload | null = null;
  const receive = async (stream: BusboyFileStream, name: string): Promise<Upload> => {
    const path = join(folder, randomUUID());
    onFile(path);
    return { path, name, ...(await receiveFile(stream, path, checkHead)) };
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The client has gone meanwhile.
  if (payload.destroyed) throw malformed();
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => reject(error);
      const failForm = (): void => fail(malformed());
      let left = maxBytes + FORM_BYTES;
      payload.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) fail(new BodyTooLargeError(maxBytes));
      });
      form.on('field', (name, value, isNameCut, isValueCut) => {
        fieldBytes += name.length + value.length;
        if (isNameCut || isValueCut || fieldBytes > FORM_BYTES) fail(tooLarge());
        // Such a name reaches for a prototype, as it does in JSON. Other fields are texts, which have no members.
        else if (name === '__proto__') failForm();
        else fields.set(name, [...(fields.get(name) ?? []), value]);
      });
      form.on('file', (field, stream, name) => {
        streams.push(stream);
        // An error of the form is one of its file as well. Without a listener, it would end the server.
        stream.on('error', () => undefined);
        stream.on('limit', () => fail(new BodyTooLargeError(maxBytes)));
        if (field === FILE) {
          const received = receive(stream, name ?? '');
          received.catch(fail);
          receiving.push(received);
        } else {
          stream.resume();
          fail(
            new InvalidBodyError([{ field, message: `${field} is no file: send one, as file` }]),
          );
        }
      });
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
        form.on(limit, () => fail(tooLarge()));
      }
      form.on('error', failForm);
      form.on('finish', resolve);
      payload.on('error', failForm);
      payload.on('close', () => {
        // The client has gone before the end of its body.
        if (!payload.readableEnded) failForm();
      });
      payload.pipe(form);
    });
    [upload = null] = await Promise.all(receiving);
  } catch (error) {
    payload.unpipe(form);
    // Otherwise the descriptor would stay open. Without an error, a stream that has received its end would not fail.
    for (const stream of streams) stream.destroy(error as Error);
    await Promise.allSettled(receiving);
    throw error;
  }
  const entries = [...fields].map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]);
  return {
    body: {
      ...(Object.fromEntries(entries) as Record<string, unknown>),
      ...(upload ? { [FILE]: upload.digest } : {}),
    },
    upload,
  };
}

/** @throws ApiError when the header names no boundary */
function formOf(headers: BusboyHeaders, fileSize: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({ headers, limits: { ...LIMITS, fileSize } });
  } catch {
    throw malformed();
  }
}

function malformed(): ApiError {
  return new ApiError('malformed_request', 'the body is not a whole form of multipart/form-data');
}

function tooLarge(): InvalidBodyError {
  return new InvalidBodyError([
    { field: '', message: 'the form has more than one file, too many fields, or too long ones' },
  ]);
}
