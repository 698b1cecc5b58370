import { Types } from 'mongoose';
import type { BlogFixture } from '../blog/core/fixture.js';
import { publicPicture } from '../routes/targets/media-targets.js';
import { HOUR } from '../support/time/clock.js';

/** Stores the record of a picture without its bytes. */
export async function storeMedia(
  { db }: BlogFixture,
  owner: Types.ObjectId,
): Promise<Types.ObjectId> {
  const now = new Date();
  const file = new Types.ObjectId();
  const digest = file.toHexString();
  await db.collection('media_files').insertOne({ _id: file, digest, createdAt: now });
  const { insertedId } = await db.collection('media').insertOne({
    owner,
    file,
    name: 'grey',
    format: 'png',
    width: 8,
    height: 6,
    bytes: 100,
    thumbhash: 'AAAA',
    alt: '',
    words: ['grey'],
    checkAt: new Date(now.getTime() + HOUR),
    createdAt: now,
    updatedAt: now,
  });
  return insertedId;
}

/** Stores a picture with its bytes, and a live article of the former author that shows it. */
export async function storePicture({ author, editor }: BlogFixture): Promise<string> {
  return publicPicture({ people: { AUTHOR: author, EDITOR: editor } } as never);
}

/** Stores a webhook. Its secret cannot be decrypted, so its URL is never called. */
export async function storeWebhook({ db }: BlogFixture): Promise<string> {
  const { insertedId } = await db.collection('webhooks').insertOne({
    url: 'https://127.0.0.1:1/hook',
    events: ['*'],
    enabled: true,
    seq: 0,
    secret: { kid: 'none', iv: '', data: '', tag: '' },
    createdAt: new Date(),
    updatedAt: new Date(),
  });
  return insertedId.toHexString();
}

/** Stores a job that has ended. */
export async function storeJob({ db }: BlogFixture): Promise<string> {
  const now = new Date();
  const job = {
    kind: 'handOver',
    from: new Types.ObjectId(),
    requests: 1,
    requestedAt: now,
    count: 1,
  };
  const { insertedId } = await db
    .collection('account_jobs')
    .insertOne({ ...job, startedAt: now, finishedAt: now });
  return insertedId.toHexString();
}

/** Stores an open invitation. */
export async function storeInvitation({ db }: BlogFixture): Promise<string> {
  const now = new Date();
  const { insertedId } = await db.collection('invitations').insertOne({
    email: 'guest@example.org',
    roles: ['AUTHOR'],
    invitedBy: new Types.ObjectId(),
    createdAt: now,
    sentAt: now,
    expiresAt: new Date(now.getTime() + HOUR),
    isOpen: true,
  });
  await db.collection<Record<string, unknown> & { _id: string }>('one_time_tokens').insertOne({
    _id: 'the hash of a token',
    kind: 'invitation',
    owner: insertedId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + HOUR),
  });
  return insertedId.toHexString();
}
