import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import sharp from 'sharp';
import {
  CREDENTIALS,
  inheritedEnv,
  startOwnServer,
  type OwnServer,
} from '../support/own-server.ts';

const BUCKET = 'pictures';
const PRESSROOM = fileURLToPath(new URL('../../bin/pressroom.mjs', import.meta.url));

/** Credentials that only the environment of the server has, so that the SDK finds them itself. */
const KEYS = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };

interface Media {
  readonly _id: string;
  readonly url: string;
  readonly bytes: number;
  readonly sources: readonly { readonly srcset: string }[];
}

interface SignedIn {
  readonly user: { readonly _id: string };
  readonly tokens: { readonly accessToken: string };
}

/**
 * Keeps pictures of a server in a store of S3: uploads one, serves it from the store alone in two sizes, moves it to
 * the database and back, and asks `doctor`.
 *
 * @param host the host and port of the store
 * @throws Error for the first step that fails
 */
export async function checkPictures(host: string): Promise<void> {
  const store = new S3Client({
    endpoint: `http://${host}`,
    region: 'eu-central-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  });
  const objects = async (): Promise<(number | undefined)[]> => {
    const { Contents = [] } = await store.send(
      new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'news/' }),
    );
    return Contents.map(({ Size }) => Size);
  };
  await store.send(
    new CreateBucketCommand({
      Bucket: BUCKET,
      CreateBucketConfiguration: { LocationConstraint: 'eu-central-1' },
    }),
  );
  const cache = mkdtempSync(join(tmpdir(), 'pressroom-s3-cache-'));
  const env = {
    ...KEYS,
    MEDIA_S3_URL: `s3://${host}/${BUCKET}/news?region=eu-central-1&tls=off`,
    MEDIA_CACHE_DIR: cache,
  };
  const server = await startOwnServer({ env });
  try {
    const token = await authorToken(server);
    const media = await upload(server, token);
    assert.deepEqual(await objects(), [media.bytes], 'the bucket holds the picture');
    console.log(`ok: an upload of ${media.bytes} bytes is one object`);

    const serve = async (): Promise<void> => {
      rmSync(join(cache, 'pictures'), { recursive: true });
      const { url, sources } = await server.call<Media>('GET', `/media/id/${media._id}`, { token });
      assert.equal((await fetchBytes(server, url)).length, media.bytes);
      const small = await fetchBytes(server, sources[0]?.srcset.split(' ')[0] ?? '');
      assert.equal((await sharp(small).metadata()).width, 320);
    };
    await serve();
    console.log('ok: it is served from the store, whole and in a size');

    const doctor = pressroom(server, env, ['doctor', '--json']);
    const { checks } = JSON.parse(doctor) as { checks: { name: string; result: string }[] };
    assert.equal(checks.find(({ name }) => name === 'pictures')?.result, 'ok', doctor);
    assert.equal((await objects()).length, 1);
    console.log('ok: doctor writes, reads and removes an object');

    pressroom(server, env, ['media', 'move', '--from', 's3', '--to', 'gridfs']);
    assert.deepEqual(await objects(), []);
    pressroom(server, env, ['media', 'move', '--from', 'gridfs', '--to', 's3']);
    assert.deepEqual(await objects(), [media.bytes]);
    await serve();
    console.log('ok: it is moved to the database, and back');
    assert.deepEqual(server.errorLines(), []);
  } finally {
    await server.stop();
    store.destroy();
    rmSync(cache, { recursive: true, force: true });
  }
}

async function authorToken({ call }: OwnServer): Promise<string> {
  const { email, password } = CREDENTIALS;
  const admin = await call<SignedIn>('POST', '/auth/signin/basic', { body: { email, password } });
  const body = { name: 'Ada', email: 'ada@s3.example', password: 'a password of the store' };
  const author = await call<SignedIn>('POST', '/auth/signup/basic', { body });
  await call('PUT', `/admin/users/id/${author.user._id}/roles`, {
    token: admin.tokens.accessToken,
    body: { roles: ['AUTHOR'] },
  });
  return author.tokens.accessToken;
}

/** Uploads a picture of noise, which is larger than what sockets hold at once. */
async function upload({ url }: OwnServer, token: string): Promise<Media> {
  const [width, height] = [1_200, 900];
  const raw = { width, height, channels: 3 } as const;
  const file = await sharp(randomBytes(width * height * 3), { raw })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file)]), 'noise.jpg');
  const headers = { 'x-api-key': CREDENTIALS.apiKey, authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/media`, { method: 'POST', headers, body: form });
  const { message, data } = (await answer.json()) as { message: string; data: Media };
  assert.equal(answer.status, 200, message);
  return data;
}

async function fetchBytes({ url }: OwnServer, address: string): Promise<Buffer> {
  const answer = await fetch(url + address.replace(/^https?:\/\/[^/]+/, ''));
  assert.equal(answer.status, 200, address);
  return Buffer.from(await answer.arrayBuffer());
}

/** Runs a command on the database of the server. @returns its output */
function pressroom({ folder }: OwnServer, env: object, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PRESSROOM, ...args], {
    cwd: folder,
    env: { ...inheritedEnv(), DATA_DIR: join(folder, 'data'), ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  // 2 is for what doctor leaves to the operator of a server that serves nobody yet.
  assert.ok(status === 0 || (status === 2 && args[0] === 'doctor'), `${args.join(' ')}: ${stderr}`);
  return stdout;
}
