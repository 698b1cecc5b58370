import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Types } from 'mongoose';
import { PictureStoreError } from '../../blog/media/storage/picture-store.errors.js';
import { PictureStores } from '../../blog/media/storage/picture-stores.service.js';
import { fail, ok, type Finding } from './check.js';

const BYTES = 4_096;

/** Writes a small object into the bucket of MEDIA_S3_URL, reads it back, and removes it again. */
export async function checkPictures(app: INestApplicationContext): Promise<Finding> {
  const { s3 } = app.get(PictureStores);
  if (!s3) return ok('kept in the database');
  const folder = await mkdtemp(join(tmpdir(), 'pressroom-doctor-'));
  const [source, copy] = [join(folder, 'source'), join(folder, 'copy')];
  const id = new Types.ObjectId();
  const start = performance.now();
  let step = 'write';
  try {
    const bytes = randomBytes(BYTES);
    await writeFile(source, bytes);
    await s3.write(id, source);
    step = 'read';
    await s3.read(id, copy);
    const isSame = bytes.equals(await readFile(copy));
    step = 'remove';
    await s3.remove(id);
    step = 'look for';
    const isLeft = await s3.has(id);
    if (!isSame) return fail('The store of MEDIA_S3_URL returns other bytes: use another store.');
    if (isLeft) return fail(`The store of MEDIA_S3_URL has kept the object ${id.toHexString()}.`);
    const took = Math.round(performance.now() - start);
    return ok(`the store of MEDIA_S3_URL writes, reads and removes, in ${took} ms`);
  } catch (error) {
    if (!(error instanceof PictureStoreError)) throw error;
    const isLeft = await s3.remove(id).then(
      () => false,
      () => step !== 'write',
    );
    const left = isLeft ? ` Its object ${id.toHexString()} is left.` : '';
    return fail(`MEDIA_S3_URL: cannot ${step} an object (${error.codes}). ${error.advice}${left}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
