import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type * as AwsSdk from '@aws-sdk/client-s3';
import type { Types } from 'mongoose';
import type { S3Location } from '../../../platform/config/media/s3-url.js';
import { PictureStoreError } from './picture-store.errors.js';
import { PictureStore } from './picture-store.js';
import { s3FailureOf } from './s3-failure.js';

type Sdk = typeof AwsSdk;

/** How long the store is waited for, in milliseconds. */
export interface S3Patience {
  /** Until there is a connection. */
  readonly connectMs: number;
  /** Until the next byte comes, or can be sent. */
  readonly idleMs: number;
  /** For an operation with all its attempts: less than a lock of PictureFolder lasts. */
  readonly totalMs: number;
  /** Before each further attempt. */
  readonly delaysMs: readonly number[];
}

const PATIENCE: S3Patience = {
  connectMs: 3_000,
  idleMs: 5_000,
  totalMs: 25_000,
  delaysMs: [200, 1_000],
};

/** Interval in milliseconds of warnings that the store does not work. */
const WARN_MS = 60_000;

/** Keeps pictures in a bucket of a store that speaks S3, one object each. Nothing is ever whole in memory. */
export class S3Store extends PictureStore {
  private readonly logger = new Logger('Media');
  private readonly closing = new AbortController();
  private opened: Promise<{ sdk: Sdk; client: AwsSdk.S3Client }> | null = null;
  private warnedAt = -Infinity;

  constructor(
    private readonly location: S3Location,
    private readonly patience: S3Patience = PATIENCE,
  ) {
    super();
  }

  /** @throws PictureStoreError */
  async write(id: Types.ObjectId, path: string): Promise<void> {
    // The length is sent first: without it, the SDK would send the body in chunks, which some stores do not take.
    const { size } = await stat(path);
    await this.attempt(async (signal) => {
      const { sdk, client } = await this.open();
      const body = createReadStream(path);
      const unreadable = new AbortController();
      body.once('error', () => unreadable.abort());
      try {
        const put = new sdk.PutObjectCommand({
          ...this.objectOf(id),
          Body: body,
          ContentLength: size,
        });
        await client.send(put, { abortSignal: AbortSignal.any([signal, unreadable.signal]) });
      } finally {
        body.destroy();
      }
    });
  }

  /** @throws PictureStoreError @throws Error when the store has none of this id */
  async read(id: Types.ObjectId, path: string): Promise<void> {
    await this.attempt(async (signal) => {
      const { sdk, client } = await this.open();
      const get = new sdk.GetObjectCommand(this.objectOf(id));
      const { Body: body } = await client.send(get, { abortSignal: signal });
      try {
        await pipeline(body as Readable, createWriteStream(path, { flags: 'wx' }), { signal });
      } catch (error) {
        if (!s3FailureOf(error).isOfDisk) await rm(path, { force: true });
        throw error;
      }
    });
  }

  /** @throws PictureStoreError */
  async remove(id: Types.ObjectId): Promise<void> {
    await this.attempt(async (signal) => {
      const { sdk, client } = await this.open();
      await client
        .send(new sdk.DeleteObjectCommand(this.objectOf(id)), { abortSignal: signal })
        .catch(ifMissing);
    });
  }

  /** @throws PictureStoreError */
  async has(id: Types.ObjectId): Promise<boolean> {
    return this.attempt(async (signal) => {
      const { sdk, client } = await this.open();
      const head = new sdk.HeadObjectCommand(this.objectOf(id));
      const found = await client.send(head, { abortSignal: signal }).catch(ifMissing);
      return found !== undefined;
    });
  }

  /** Ends what is under way, and all connections. */
  override async close(): Promise<void> {
    this.closing.abort();
    const opened = await this.opened?.catch(() => null);
    opened?.client.destroy();
  }

  private objectOf(id: Types.ObjectId): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.location;
    return { Bucket: bucket, Key: `${prefix}${id.toHexString()}` };
  }

  /**
   * Runs an operation, and again after a failure that may pass. The SDK does not repeat what it sends from a stream, so
   * its own repetitions are off.
   */
  private async attempt<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { totalMs, delaysMs } = this.patience;
    const signal = AbortSignal.any([AbortSignal.timeout(totalMs), this.closing.signal]);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await run(signal);
      } catch (error) {
        const { isFinal, isMissing, isOfDisk, codes, advice } = s3FailureOf(error);
        if (isOfDisk) throw error;
        if (isMissing) throw new Error('the store has no such picture', { cause: error });
        const delay = delaysMs[attempt];
        if (signal.aborted) throw this.failed('no answer in time', advice);
        if (isFinal || delay === undefined) throw this.failed(codes, advice);
        await wait(delay, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private failed(codes: string, advice: string): PictureStoreError {
    if (performance.now() - this.warnedAt > WARN_MS) {
      this.warnedAt = performance.now();
      this.logger.warn(`the store of MEDIA_S3_URL does not work (${codes}): ${advice}`);
    }
    return new PictureStoreError(codes, advice);
  }

  /** The SDK is loaded with the first picture, because a server without the setting does not need it. */
  private open(): Promise<{ sdk: Sdk; client: AwsSdk.S3Client }> {
    this.opened ??= import('@aws-sdk/client-s3').then((sdk) => {
      const { endpoint, region, credentials } = this.location;
      const { connectMs, idleMs } = this.patience;
      const client = new sdk.S3Client({
        endpoint,
        region,
        ...(credentials ? { credentials } : {}),
        forcePathStyle: true,
        maxAttempts: 1,
        // Newer checksums and `Expect` are not known to all stores.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        expectContinueHeader: false,
        requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs },
        logger: SILENT,
      });
      return { sdk, client };
    });
    return this.opened;
  }
}

const nothing = (): void => undefined;
/** The SDK would write to the console. */
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** @returns undefined for an object that is not there @throws any other error */
function ifMissing(error: unknown): undefined {
  if (!s3FailureOf(error).isMissing) throw error;
}
