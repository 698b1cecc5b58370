import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection, mongo } from 'mongoose';
import { BACKGROUND } from '../database/client-options.js';
import { REPORTED, WATCHED_COLLECTIONS, type RecordEvent } from './changes.js';

const HEARTBEATS = 'beats';

/** A stream that cannot be opened is tried again after this long. */
const RETRY_MS = 250;

/** What the stream tells its process, in the order of the database. */
export interface ChangeStreamListener {
  readonly owner: string;
  /** @param event null when a collection or the database went: nothing is as it was */
  changed(event: RecordEvent | null, time: mongo.Timestamp | undefined): void;
  heartbeatReturned(count: number, time: mongo.Timestamp | undefined): void;
  /** It ended, and changes may be missed until a beat comes back through the next one. */
  ended(): void;
}

interface ChangeStreamDocument {
  readonly _id: unknown;
  readonly operationType: string;
  readonly ns?: { readonly coll?: string };
  readonly documentKey?: { readonly _id: unknown };
  readonly clusterTime?: mongo.Timestamp;
  readonly paths?: readonly string[];
  readonly beat?: number | null;
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
  private isOutOfOrder = false;

  constructor(@InjectConnection(BACKGROUND) private readonly connection: Connection) {}

  /**
   * The newest cluster time that the stream's client has heard of, as the members have signed it; none
   * before the first answer. Another client that reads after an event passes it on: a member refuses
   * to read after a time that it has not heard of.
   */
  get clusterTime(): mongo.ClusterTime | undefined {
    return this.session?.clusterTime;
  }

  open(listener: ChangeStreamListener): void {
    if (this.isClosed) return;
    this.session ??= this.connection.getClient().startSession();
    const stream = this.connection.watch<ChangeStreamDocument>(
      pipelineFor(listener.owner) as never,
      {
        session: this.session,
        // Quiet for a while is not dead, and a closing process must not wait long for an answer.
        maxAwaitTimeMS: 1_000,
      },
    ) as unknown as mongo.ChangeStream;
    this.stream = stream;
    stream.on('change', (document) => {
      if (this.stream !== stream) return;
      if (this.isOutOfOrder) this.logger.log('the change stream is back');
      this.isOutOfOrder = false;
      tell(listener, document as unknown as ChangeStreamDocument);
    });
    stream.on('error', (error) => {
      if (this.stream !== stream) return;
      this.complain(error);
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

  /** Once per outage: everything works meanwhile, but slower, and an operator should know why. */
  private complain(error: unknown): void {
    if (!this.isOutOfOrder) {
      this.logger.warn(
        `nothing is answered from memory until the change stream is back: ${String(error)}`,
      );
    }
    this.isOutOfOrder = true;
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

function tell(listener: ChangeStreamListener, document: ChangeStreamDocument): void {
  const { operationType, ns, documentKey, clusterTime } = document;
  if (ns?.coll === HEARTBEATS && RECORD_OPERATIONS.has(operationType)) {
    if (typeof document.beat === 'number') listener.heartbeatReturned(document.beat, clusterTime);
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

/** The server sends the names of what changed, never the values; of the beats only our own. */
function pipelineFor(owner: string): object[] {
  const list = (path: string): object => ({ $ifNull: [path, []] });
  const ownHeartbeats = { 'ns.coll': HEARTBEATS, 'documentKey._id': owner };
  const invalidations = {
    operationType: { $in: ['drop', 'rename', 'dropDatabase', 'invalidate'] },
  };
  return [
    // Decided before an event is made of what was logged.
    {
      $match: { $or: [{ 'ns.coll': { $in: WATCHED_COLLECTIONS } }, ownHeartbeats, invalidations] },
    },
    {
      $project: {
        operationType: 1,
        'ns.coll': 1,
        documentKey: 1,
        clusterTime: 1,
        paths: {
          $concatArrays: [
            {
              $map: {
                input: { $objectToArray: { $ifNull: ['$updateDescription.updatedFields', {}] } },
                in: '$$this.k',
              },
            },
            list('$updateDescription.removedFields'),
            // Where an array was only shortened, its path stands nowhere else.
            list('$updateDescription.truncatedArrays.field'),
          ],
        },
        isLive: { $ne: [{ $ifNull: ['$fullDocument.live', null] }, null] },
        beat: { $ifNull: ['$updateDescription.updatedFields.count', '$fullDocument.count'] },
      },
    },
    { $match: { $or: [REPORTED, ownHeartbeats, invalidations] } },
  ];
}
