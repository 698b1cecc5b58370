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

/** Size of all fields of a form together, in bytes. */
export const FIELDS_BYTES = 65_536;

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
  const fields = new Map<string, string[]>();
  let fieldBytes = 0;
  const receiving: Promise<Upload>[] = [];
  const receive = async (stream: BusboyFileStream, name: string): Promise<Upload> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    onFile(path);
    const received = await receiveFile(stream, path, checkHead);
    if (stream.truncated) throw new BodyTooLargeError(maxBytes);
    return { path, name, ...received };
  };
  await new Promise<void>((resolve, reject) => {
    const form = formOf(headers, maxBytes);
    const fail = (error: unknown): void => {
      payload.unpipe(form);
      reject(error instanceof ApiError ? error : malformed());
    };
    form.on('field', (name, value, isNameCut, isValueCut) => {
      fieldBytes += name.length + value.length;
      if (isNameCut || isValueCut || fieldBytes > FIELDS_BYTES) fail(tooLarge());
      // As in JSON, such a name reaches for a prototype. Other fields are texts, which have no members.
      else if (name === '__proto__') fail(malformed());
      else fields.set(name, [...(fields.get(name) ?? []), value]);
    });
    form.on('file', (field, stream, name) => {
      if (field !== FILE) {
        stream.resume();
        fail(new InvalidBodyError([{ field, message: `${field} is no file: send one, as file` }]));
        return;
      }
      const received = receive(stream, name ?? '');
      received.catch(fail);
      receiving.push(received);
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      form.on(limit, () => fail(tooLarge()));
    }
    form.on('error', fail);
    form.on('finish', resolve);
    payload.on('error', fail);
    payload.on('close', () => {
      // The client has gone before the end of its body.
      if (!payload.readableEnded) fail(malformed());
    });
    payload.pipe(form);
  });
  const [upload = null] = await Promise.all(receiving);
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
