import { Readable } from 'node:stream';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Types } from 'mongoose';
import { Admission } from '../../../platform/http/access/admission/admission.js';
import { TextDocument } from '../../../platform/http/text-document.js';
import { OverloadedError } from '../../../platform/overload/overload.errors.js';
import { EnabledAccounts } from '../../../user/enabled-accounts.service.js';
import { NoticeWords } from '../notice-words.service.js';
import type { Notice } from '../store/notice.schema.js';
import { NoticeStore } from '../store/notice-store.service.js';

/** Milliseconds between two looks for new notices, and two checks whether the callers may still be served. */
const TICK_MS = 500;

/** Milliseconds between two lines that keep a connection open. */
const HEARTBEAT_MS = 15_000;

/** Milliseconds after which a client connects again. */
const RETRY_MS = 3_000;

/** Largest number of streams in this process: of one user, and of all. */
const MAX_OF_USER = 5;
const MAX_STREAMS = 1_000;

/** Largest number of notices that one query reads. */
const BATCH = 500;

/** Bytes that may wait for a client; a client that reads more slowly is cut off, and resumes. */
const BUFFER_BYTES = 65_536;

interface Stream {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly user: Types.ObjectId;
  readonly body: Readable;
  readonly endsAt: number;
  /** The number of the last notice that was looked at for this stream. */
  seen: number;
  /** Whether it has not caught up with the notices that were read for all streams. */
  isBehind: boolean;
  beatAt: number;
}

/**
 * Sends notices as they are made, as server-sent events. One query of a process serves all its streams, so it does not
 * matter which process has made a notice.
 */
@Injectable()
export class NoticeStreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger(NoticeStreams.name);
  private readonly streams = new Set<Stream>();
  /** The number of the last notice that was read for all streams. */
  private seen = 0;
  private timer: NodeJS.Timeout | null = null;
  private isBusy = false;
  private isStopping = false;

  constructor(
    private readonly store: NoticeStore,
    private readonly words: NoticeWords,
    private readonly accounts: EnabledAccounts,
    private readonly admission: Admission,
  ) {}

  /**
   * Opens a stream of the caller. It ends with the session. A sixth stream of one user ends the oldest.
   *
   * @param after the number of the last notice that the client has; null for new ones only
   * @throws OverloadedError
   */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    user: Types.ObjectId,
    { after, seconds }: { readonly after: number | null; readonly seconds: number },
  ): Promise<TextDocument> {
    const last = await this.store.lastSeq();
    const own = [...this.streams].filter((stream) => stream.user.equals(user));
    if (own.length >= MAX_OF_USER) this.end(own[0]);
    if (this.isStopping || this.streams.size >= MAX_STREAMS) throw new OverloadedError();
    if (this.streams.size === 0) this.seen = last;
    const body = new Readable({ read: () => undefined, highWaterMark: BUFFER_BYTES });
    const now = performance.now();
    const stream: Stream = {
      request,
      reply,
      user,
      body,
      endsAt: now + seconds * 1_000,
      seen: after ?? last,
      isBehind: true,
      beatAt: now + HEARTBEAT_MS,
    };
    this.streams.add(stream);
    // A response to HEAD is sent without reading the body.
    reply.raw.once('close', () => this.end(stream));
    void reply.header('x-accel-buffering', 'no');
    body.push(`retry: ${RETRY_MS}\n\n`);
    this.timer ??= setInterval(() => void this.tick(), TICK_MS).unref();
    return new TextDocument('text/event-stream; charset=utf-8', body, null);
  }

  /** Ends all streams, and opens no other. Their clients resume at another process. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const stream of this.streams) this.end(stream);
  }

  private end(stream: Stream | undefined): void {
    if (!stream || !this.streams.delete(stream)) return;
    stream.body.push(null);
    if (this.streams.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private send(stream: Stream, text: string): void {
    if (!this.streams.has(stream) || stream.body.push(text)) return;
    this.streams.delete(stream);
    stream.body.destroy();
  }

  private async tick(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      await Promise.all([...this.streams].map((stream) => this.endIfRefused(stream)));
      await this.deliver([...this.streams]);
    } catch (error) {
      // The next tick begins where this one has failed.
      this.logger.warn(`notices are sent later: ${String(error)}`);
    } finally {
      this.isBusy = false;
    }
  }

  /** Checks the credentials as if the request came now. */
  private async endIfRefused(stream: Stream): Promise<void> {
    const { request, reply, endsAt, beatAt } = stream;
    const now = performance.now();
    if (now >= beatAt) {
      stream.beatAt = now + HEARTBEAT_MS;
      this.send(stream, ':\n\n');
    }
    try {
      const { access } = request.routeOptions.config;
      if (access) await this.admission.admit(request, reply, this.admission.routeAccessOf(access));
      if (now >= endsAt) this.end(stream);
    } catch {
      this.end(stream);
    }
  }

  private async deliver(streams: readonly Stream[]): Promise<void> {
    if (streams.length === 0) return;
    const fresh = await this.store.after(this.seen, BATCH);
    const last = fresh.at(-1)?._id ?? this.seen;
    const noticesOf = new Map<Stream, readonly Notice[]>();
    for (const stream of streams) {
      const { user, seen, isBehind } = stream;
      const notices = isBehind
        ? await this.store.after(seen, BATCH, { user, last })
        : fresh.filter((notice) => notice.user.equals(user));
      noticesOf.set(stream, notices);
    }
    const all = [...noticesOf.values()].flat();
    if (all.length > 0) await this.sendAll(noticesOf, all);
    for (const [stream, notices] of noticesOf) {
      stream.isBehind = stream.isBehind && notices.length === BATCH;
      stream.seen = stream.isBehind ? (notices.at(-1)?._id ?? last) : last;
    }
    this.seen = last;
  }

  private async sendAll(
    noticesOf: ReadonlyMap<Stream, readonly Notice[]>,
    all: readonly Notice[],
  ): Promise<void> {
    const [word, accounts] = await Promise.all([
      this.words.prepare(all),
      this.accounts.find(all.map(({ user }) => user)),
    ]);
    for (const [stream, notices] of noticesOf) {
      const account = accounts.find(({ userId }) => userId.equals(stream.user));
      // A personal access token may have fewer roles than the account.
      const { roles = [] } = stream.request.user ?? {};
      for (const notice of account ? notices : []) {
        const view = account && word(notice, { ...account, roles, way: 'desk' });
        if (!view) continue;
        this.send(stream, `id: ${view.seq}\nevent: notice\ndata: ${JSON.stringify(view)}\n\n`);
      }
    }
  }
}
