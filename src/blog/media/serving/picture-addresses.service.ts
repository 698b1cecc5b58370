import { Injectable } from '@nestjs/common';
import { Env } from '../../../platform/config/env.js';
import type { ServedTexts } from '../../core/html/html-cleaner.js';
import { AddressSigner } from './address-signer.service.js';
import {
  pictureSets,
  pictureUrl,
  servedHtml,
  type AddressParts,
  type PictureFacts,
  type PictureSet,
} from './picture-html.js';

/** The preview with which signed addresses end. */
export interface AddressedPreview {
  readonly id: string;
  readonly expiresAt: Date;
}

/** The addresses of a picture in a view. */
export interface PictureLinks {
  readonly url: string;
  readonly sources: readonly PictureSet[];
}

/** Gives a picture its addresses. */
export type LinksOf = (facts: PictureFacts) => PictureLinks;

/** Makes the addresses of pictures: public ones for what is live, signed ones for everything else. */
@Injectable()
export class PictureAddresses {
  /** The origins with which our addresses begin, in texts that clients send; '' is for a path alone. */
  readonly bases: readonly string[];
  /** Gives pictures that are public their addresses. */
  readonly publicLinks: LinksOf = (facts) => linksOf(facts, this.public);
  private readonly public: AddressParts;

  constructor(
    { MEDIA_URL, PUBLIC_URL, NODE_ENV, PORT }: Env,
    private readonly signer: AddressSigner,
  ) {
    // The address of this machine is for trials only.
    const trial = NODE_ENV === 'development' ? `http://localhost:${PORT}` : '';
    const base = MEDIA_URL ?? PUBLIC_URL ?? trial;
    this.bases = [base, PUBLIC_URL ?? ''].filter((each) => each !== '');
    this.public = { base, queryOf: () => '' };
  }

  /** Makes a published text ready for readers. */
  published(html: string): string {
    return servedHtml(html, this.public);
  }

  /** Makes a text ready for those who may read it before it is live, or because of a preview. */
  unpublished(html: string, preview?: AddressedPreview): string {
    return servedHtml(html, this.signed(preview));
  }

  /** The texts of a blog, ready for its author or an editor. */
  unpublishedTexts({ draftText, text }: ServedTexts): ServedTexts {
    return { draftText: this.unpublished(draftText), text: this.unpublished(text) };
  }

  /** Gives pictures addresses for those who may see them before they are live, or because of a preview. */
  signedLinks(preview?: AddressedPreview): LinksOf {
    return (facts) => linksOf(facts, this.signed(preview));
  }

  private signed(preview?: AddressedPreview): AddressParts {
    return { base: this.public.base, queryOf: (id) => this.signer.sign(id, preview) };
  }
}

function linksOf(facts: PictureFacts, { base, queryOf }: AddressParts): PictureLinks {
  // A picture has a dozen addresses, and one signature.
  const query = queryOf(facts.id);
  const parts = { base, queryOf: () => query };
  return { url: pictureUrl(facts, parts), sources: pictureSets(facts, parts) };
}
