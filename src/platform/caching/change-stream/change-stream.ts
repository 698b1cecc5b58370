import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection, mongo } from 'mongoose';
import type { CachedCollection, RecordEvent } from '../cache-subject.js';
import { BACKGROUND } from '../../database/client-options.js';
import { changeStreamPipeline } from './change-stream.pipeline.js';
import { HEARTBEATS } from './heartbeat.schema.js';

/** Milliseconds before a stream that has ended, or could not be opened, is opened again. */
const RETRY_MS = 250;

/**
 * Largest number of events in one batch of the stream. The driver emits the events of a batch without
 * yielding to the event loop. Without this limit, a bulk update by hand would make a batch of thousands of
 * events, which would stall every request.
 */
const BATCH_SIZE = 100;

/** Receives the events of the stream, in the order of the changes. */
export interface ChangeStreamListener {
  /** The `_id` of the heartbeat record whose updates the stream reports. */
  readonly owner: string;
  /** The collections whose changes the stream reports. */
  readonly collections: readonly CachedCollection[];
  /** @param event null if a collection was dropped or renamed, or the database was dropped */
  changed(event: RecordEvent | null, time: mongo.Timestamp | undefined): void;
  /** @param count the number of the heartbeat that the stream has reported */
  heartbeatReturned(count: number, time: mongo.Timestamp | undefined): void;
  /** The stream has ended. Changes may be missed until a heartbeat returns through the next stream. */
  ended(): void;
}

interface ChangeStreamDocument {
  readonly _id: unknown;
  readonly operationType: string;
  readonly ns?: { readonly coll?: string };
  readonly documentKey?: { readonly _id: unknown };
  readonly clusterTime?: mongo.Timestamp;
  readonly paths?: readonly string[];
  readonly heartbeat?: number | null;
}

const RECORD_OPERATIONS: ReadonlySet<string> = new Set(['insert', 'update', 'replace', 'delete']);

/** One change stream over the whole database, opened again whenever it ends. */
@Injectable()
export class ChangeStream {
  private readonly logger = new Logger(ChangeStream.name);
  private stream: mongo.ChangeStream | null = null;
  private session: ClientSession | null = null;
  private retry: NodeJS.Timeout | null = null;
  private isClosed = false;
  private isInterrupted = false;

  constructor(@InjectConnection(BACKGROUND) private readonly connection: Connection) {}

  /**
   * The newest cluster time, signed by MongoDB, that the client of this stream knows; undefined
   * before the first answer. If a read through another client must see an event of this stream, it sends this
   * time with its `afterClusterTime`, because a member refuses an `afterClusterTime` that is ahead of the
   * cluster time that the member knows.
   */
  get clusterTime(): mongo.ClusterTime | undefined {
    return this.session?.clusterTime;
  }

  open(listener: ChangeStreamListener): void {
    if (this.isClosed) return;
    this.session ??= this.connection.getClient().startSession();
    const stream = this.connection.watch<ChangeStreamDocument>(
      changeStreamPipeline(listener.owner, listener.collections) as never,
      {
        session: this.session,
        // Milliseconds that MongoDB waits for an event before it answers a `getMore`. A shutdown may
        // have to wait as long.
        maxAwaitTimeMS: 1_000,
        batchSize: BATCH_SIZE,
      },
    ) as unknown as mongo.ChangeStream;
    this.stream = stream;
    stream.on('change', (document) => {
      if (this.stream !== stream) return;
      if (this.isInterrupted) this.logger.log('the change stream is back');
      this.isInterrupted = false;
      dispatch(listener, document as unknown as ChangeStreamDocument);
    });
    stream.on('error', (error) => {
      if (this.stream !== stream) return;
      this.warnOfInterruption(error);
      this.reopen(stream, listener);
    });
    stream.on('close', () => this.reopen(stream, listener));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.retry) clearTimeout(this.retry);
    const { stream } = this;
    this.stream = null;
    await stream?.close().catch(() => undefined);
    await this.session?.endSession();
  }

  /** Logs one warning per outage of the stream. */
  private warnOfInterruption(error: unknown): void {
    if (!this.isInterrupted) {
      this.logger.warn(
        `nothing is answered from memory until the change stream is back: ${String(error)}`,
      );
    }
    this.isInterrupted = true;
  }

  private reopen(ended: mongo.ChangeStream, listener: ChangeStreamListener): void {
    if (this.stream !== ended) return;
    this.stream = null;
    listener.ended();
    void ended.close().catch(() => undefined);
    if (this.isClosed) return;
    this.retry = setTimeout(() => this.open(listener), RETRY_MS);
    this.retry.unref();
  }
}

function dispatch(listener: ChangeStreamListener, document: ChangeStreamDocument): void {
  const { operationType, ns, documentKey, clusterTime, heartbeat } = document;
  if (ns?.coll === HEARTBEATS && RECORD_OPERATIONS.has(operationType)) {
    if (typeof heartbeat === 'number') listener.heartbeatReturned(heartbeat, clusterTime);
    return;
  }
  if (!RECORD_OPERATIONS.has(operationType) || ns?.coll === undefined) {
    listener.changed(null, clusterTime);
    return;
  }
  const event = {
    collection: ns.coll,
    operation: operationType as RecordEvent['operation'],
    id: String(documentKey?._id),
    paths: document.paths ?? [],
  };
  listener.changed(event, clusterTime);
}
