import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Upload } from './upload.js';

/** Number of bytes at the start of a file by which its type is told, and mostly its size. */
const HEAD_BYTES = 4_096;

/**
 * Writes a file to the disk as it arrives.
 *
 * @param check called with the first HEAD_BYTES bytes, or with all if there are fewer; what it throws ends the
 *   reception before more of the file is read
 * @returns the digest of what was written
 */
export async function receiveFile(
  file: Readable,
  path: string,
  check: (head: Buffer) => void,
): Promise<Pick<Upload, 'digest'>> {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let isChecked = false;
  const inspect = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      try {
        if (!isChecked) {
          head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
          if (head.length === HEAD_BYTES) {
            isChecked = true;
            check(head);
          }
        }
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        if (!isChecked) check(head);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  await pipeline(file, inspect, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { digest: hash.digest('hex') };
}
