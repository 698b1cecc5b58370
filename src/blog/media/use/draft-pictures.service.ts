import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { InvalidBodyError } from '../../../platform/http/errors/api.errors.js';
import type { CleanHtml } from '../../core/html/clean-html.js';
import { coverOf, type Cover, type CoverChoice } from '../cover/cover.js';
import { PictureAddresses } from '../serving/picture-addresses.service.js';
import { givenPictures, picturesIn, storedHtml } from '../serving/picture-html.js';
import { MediaUses } from './media-uses.service.js';
import { UsedPictures, type UsedMedia } from './used-pictures.service.js';

const NOT_YOURS =
  'cover.media must be a picture of your library, or one that readers see: upload it with POST /media';

/** What an article shows already. */
interface ShownArticle {
  readonly draftText?: string | undefined;
  readonly cover?: Cover | null | undefined;
}

/** A text in the form in which it is stored. */
interface PicturedText {
  readonly html: CleanHtml;
  /** What the author should know of its pictures. */
  readonly warnings: readonly string[];
}

interface PreparedCover {
  /** null for a picture that is gone. */
  readonly cover: Cover | null;
  readonly warnings: readonly string[];
}

/**
 * Prepares the pictures of a draft. It may show pictures of the account that writes it, those that it shows already,
 * and those that readers may see: a publication shows them.
 */
@Injectable()
export class DraftPictures {
  constructor(
    private readonly pictures: UsedPictures,
    private readonly addresses: PictureAddresses,
    private readonly uses: MediaUses,
  ) {}

  /**
   * Brings the pictures of a cleaned text into their stored form. Those that it may not show are left out.
   *
   * @param readShown reads what the article shows now
   */
  async prepare(
    html: CleanHtml,
    account: Types.ObjectId,
    readShown: () => Promise<ShownArticle>,
  ): Promise<PicturedText> {
    const ids = givenPictures(html, this.addresses.bases);
    if (ids.length === 0) return { html, warnings: [] };
    const allowed = await this.allowed(ids, account, readShown);
    const stored = storedHtml(html, this.addresses.bases, (id) => {
      const picture = allowed.get(id);
      return picture ? { ...picture, id } : null;
    });
    const missing = ids.filter((id) => !allowed.has(id));
    return {
      // Only addresses and sizes of pictures have changed, which stay clean.
      html: stored as CleanHtml,
      warnings: missing.map(leftOut),
    };
  }

  /**
   * Prepares the cover of an article. What the choice leaves out stays as it is, or starts from the library.
   *
   * @param readShown reads what the article shows now
   * @throws InvalidBodyError for a picture that the article may not show
   */
  async prepareCover(
    { media: id, alt, focus }: CoverChoice,
    account: Types.ObjectId,
    readShown: () => Promise<ShownArticle>,
  ): Promise<PreparedCover> {
    const shown = await readShown();
    const allowed = await this.allowed([id], account, () => Promise.resolve(shown));
    const picture = allowed.get(id);
    const now = shown.cover?.media === id ? shown.cover : undefined;
    if (!picture) {
      // A revision may name a picture that is gone.
      if (now) return { cover: null, warnings: [leftOut(id)] };
      throw new InvalidBodyError([{ field: 'cover.media', message: NOT_YOURS }]);
    }
    const { alt: oldAlt, focus: oldFocus } = now ?? picture;
    const texts = { alt: alt ?? oldAlt, focus: focus === undefined ? oldFocus : focus };
    return { cover: coverOf(picture, texts), warnings: [] };
  }

  /** Returns those pictures that the article may show, by their ids. */
  private async allowed(
    ids: readonly string[],
    account: Types.ObjectId,
    readShown: () => Promise<ShownArticle>,
  ): Promise<ReadonlyMap<string, UsedMedia>> {
    const found = await this.pictures.find(ids);
    const foreign = found.filter(({ owner }) => !owner.equals(account));
    const known = new Set(foreign.length === 0 ? [] : shownIn(await readShown()));
    const others = foreign.filter(({ _id }) => !known.has(_id.toHexString()));
    const live = await this.uses.liveAmong(others.map(({ _id }) => _id));
    return new Map(
      found
        .filter((each) => !others.includes(each) || live.has(each._id.toHexString()))
        .map((each) => [each._id.toHexString(), each]),
    );
  }
}

function shownIn({ draftText = '', cover }: ShownArticle): string[] {
  return [...picturesIn(draftText), ...(cover ? [cover.media] : [])];
}

function leftOut(id: string): string {
  return `the picture ${id} was left out: it is not in your library`;
}
