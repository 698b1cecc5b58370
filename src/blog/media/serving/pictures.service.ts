import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { send, type SendResult } from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Types } from 'mongoose';
import { Clock } from '../../../platform/clock.js';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { Env } from '../../../platform/config/env.js';
import { UnavailableError } from '../../../platform/http/errors/api.errors.js';
import {
  publicCacheHeaders,
  type CacheHeaders,
} from '../../../platform/http/headers/public-cache.js';
import { shownBlog } from '../../previews/preview-kinds.js';
import { PreviewStore } from '../../previews/preview-store.js';
import { UnknownPathError } from '../../../platform/http/errors/api.errors.js';
import { OBJECT_ID_PATTERN } from '../../../platform/http/object-id/object-id.param.js';
import { MediaNotFoundError } from '../media.errors.js';
import { hasOneSize } from '../../../platform/picture/picture-address.js';
import { FORMATS, WIDTHS, type PictureFormat } from '../../../platform/picture/picture-formats.js';
import { PictureFolder, type Size } from '../storage/picture-folder.service.js';
import { AddressSigner, type SignedQuery } from './address-signer.service.js';
import { mediaCacheTag } from './media-cache-tag.js';
import type { PictureParam } from './picture.param.js';
import { PublicPictures, type ServedMedia } from './public-pictures.service.js';

/** A picture is nothing but a picture, whatever a browser finds in its bytes. */
const SAFE_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** Bytes of the largest picture that stays in memory, and of all that do. */
const KEPT_MAX = 262_144;
const ALL_KEPT_MAX = 16 * 1_048_576;

/** A whole picture, as it was read from its file. */
interface KeptPicture {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** The names that pictures get when they are stored. */
const NAME = /^[a-z0-9-]+$/;

/** Serves pictures: public ones to everybody, others by signed addresses. */
@Injectable()
export class Pictures {
  private readonly cacheHeaders: {
    readonly stored: Omit<CacheHeaders, 'vary'>;
    readonly notStored: Omit<CacheHeaders, 'vary'>;
  };
  private readonly hasTags: boolean;
  /** Small pictures that were asked for lately, by the names of their files, whose bytes never change. */
  private readonly kept = new LRUCache<string, KeptPicture>({
    maxSize: ALL_KEPT_MAX,
    sizeCalculation: ({ bytes }) => bytes.length,
  });

  constructor(
    private readonly publics: PublicPictures,
    private readonly folder: PictureFolder,
    private readonly signer: AddressSigner,
    private readonly previews: PreviewStore,
    private readonly coherence: CacheCoherenceService,
    private readonly clock: Clock,
    env: Env,
  ) {
    const { stored, notStored } = publicCacheHeaders(env);
    this.cacheHeaders = { stored: withoutVary(stored), notStored: withoutVary(notStored) };
    this.hasTags = env.PUBLIC_CACHE !== undefined;
  }

  /**
   * Answers a request for a picture in one of its sizes, which is made if nobody has asked for it yet.
   *
   * @throws MediaNotFoundError for a picture that is not public, if the address is not signed or has ended, and for a
   *   size that it does not have
   * @throws UnavailableError
   */
  async serve(
    request: FastifyRequest,
    reply: FastifyReply,
    { id: given, file }: PictureParam,
    query: SignedQuery,
  ): Promise<void> {
    if (!OBJECT_ID_PATTERN.test(given)) throw new UnknownPathError();
    const id = new Types.ObjectId(given);
    const isSigned = query.signature !== undefined;
    const media = isSigned ? await this.signedMedia(id, query) : await this.publicMedia(id);
    const size = media && sizeOf(media, file);
    if (!size) throw new MediaNotFoundError();
    void reply.headers(SAFE_HEADERS);
    void reply.header('content-disposition', `inline; filename="${fileNameOf(media, size)}"`);
    // Signed addresses keep the `no-store` of every answer.
    if (!isSigned) {
      const { stored, notStored } = this.cacheHeaders;
      void reply.headers(this.coherence.mayBeRolledBack() ? notStored : stored);
      if (this.hasTags) void reply.header('cache-tag', mediaCacheTag(media._id));
    }
    await this.send(request, reply, media, size);
  }

  private async publicMedia(id: Types.ObjectId): Promise<ServedMedia | null> {
    return this.publics.peek(id.toHexString()) ?? (await this.publics.find(id));
  }

  private async signedMedia(id: Types.ObjectId, query: SignedQuery): Promise<ServedMedia | null> {
    if (!this.signer.isSigned(id.toHexString(), query)) return null;
    if (query.preview !== undefined && !(await this.isOpen(query.preview))) return null;
    return this.publics.findAny(id);
  }

  private async isOpen(preview: string): Promise<boolean> {
    const found = await this.previews.find(preview);
    return found !== null && shownBlog(found, this.clock.now()) !== null;
  }

  private async send(
    request: FastifyRequest,
    reply: FastifyReply,
    media: ServedMedia,
    size: Size,
  ): Promise<void> {
    const name = this.folder.nameOf(media, size);
    const { type } = FORMATS[size.format];
    void this.folder.touch(name, media.createdAt);
    const asked = askedOf(request.raw);
    const isWhole = asked.method === 'GET' && Object.keys(asked.headers).length === 0;
    const kept = isWhole ? this.kept.get(name) : undefined;
    if (kept) return reply.headers(kept.headers).type(type).send(kept.bytes);
    const { statusCode, headers, stream } = await this.read(asked, name, media, size);
    void reply.code(statusCode).headers(headers);
    if (statusCode !== 304) void reply.type(type);
    if (!isWhole || Number(headers['Content-Length']) > KEPT_MAX) return reply.send(stream);
    const bytes = await buffer(stream);
    this.kept.set(name, { headers, bytes });
    await reply.send(bytes);
  }

  /** Reads a picture, or a part of it, from its file, which is made if nobody has asked for it yet. */
  private async read(
    asked: IncomingMessage,
    name: string,
    media: ServedMedia,
    size: Size,
  ): Promise<SendResult> {
    const options = { root: this.folder.path, cacheControl: false, contentType: false };
    let sent = await send(asked, name, options);
    if (sent.type === 'error' && sent.statusCode === 404) {
      await this.folder.make(media, size);
      sent = await send(asked, name, options);
    }
    if (sent.type === 'error' && sent.statusCode === 416) {
      // A server may ignore a range (RFC 9110, section 14.2), and this one is not in the picture.
      sent = await send(withoutRange(asked), name, options);
    }
    if (sent.type !== 'file') {
      throw new UnavailableError('the picture cannot be read at the moment: try again');
    }
    return sent;
  }
}

/** The headers that choose what is sent of a picture. Others, such as `If-Match`, are for writes. */
const CHOOSING_HEADERS = ['if-none-match', 'if-modified-since', 'if-range', 'range'] as const;

function askedOf({ method, headers }: IncomingMessage): IncomingMessage {
  const chosen = CHOOSING_HEADERS.map((name) => [name, headers[name]] as const);
  const given = chosen.filter(([, value]) => value !== undefined);
  // `send` reads only these two of a request.
  return { method, headers: Object.fromEntries(given) } as unknown as IncomingMessage;
}

function withoutRange({ method, headers }: IncomingMessage): IncomingMessage {
  const { range: _, ...others } = headers;
  return { method, headers: others } as IncomingMessage;
}

/** Pictures depend on no header of a request. */
function withoutVary({ vary: _, ...headers }: CacheHeaders): Omit<CacheHeaders, 'vary'> {
  return headers;
}

/** The size that the last part of an address names; null if the picture does not have it. */
function sizeOf({ name, format, width }: ServedMedia, file: string): Size | null {
  // A backup that somebody has changed may hold any name and format.
  if (!NAME.test(name) || !Object.hasOwn(FORMATS, format)) return null;
  const { extension } = FORMATS[format];
  if (file === `${name}.${extension}`) return { width: 'full', format };
  const [, digits, ending] = /^(\d+)\.(\w+)$/.exec(file) ?? [];
  const wanted = WIDTHS.find((each) => String(each) === digits && each < width);
  const asked = ([format, 'webp'] as PictureFormat[]).find(
    (each) => FORMATS[each].extension === ending,
  );
  return wanted === undefined || asked === undefined || hasOneSize(format)
    ? null
    : { width: wanted, format: asked };
}

function fileNameOf({ name }: ServedMedia, { width, format }: Size): string {
  const size = width === 'full' ? '' : `-${width}`;
  return `${name}${size}.${FORMATS[format].extension}`;
}
