import { Injectable } from '@nestjs/common';
import {
  linksOf,
  pictureAt,
  publicLinksOf,
  publicParts,
  type AddressParts,
  type LinksOf,
} from '../../../platform/picture/picture-address.js';
import { Env } from '../../../platform/config/env.js';
import type { ServedTexts } from '../../core/html/html-cleaner.js';
import { AddressSigner } from './address-signer.service.js';
import { servedHtml } from './picture-html.js';

/** The preview with which signed addresses end. */
export interface AddressedPreview {
  readonly id: string;
  readonly expiresAt: Date;
}

/** Makes the addresses of pictures: public ones for what is live, signed ones for everything else. */
@Injectable()
export class PictureAddresses {
  /** The origins with which our addresses begin, in texts that clients send; '' is for a path alone. */
  readonly bases: readonly string[];
  /** Gives pictures that are public their addresses. */
  readonly publicLinks: LinksOf;
  private readonly public: AddressParts;

  constructor(
    env: Env,
    private readonly signer: AddressSigner,
  ) {
    this.public = publicParts(env);
    this.publicLinks = publicLinksOf(env);
    this.bases = [this.public.base, env.PUBLIC_URL ?? ''].filter((each) => each !== '');
  }

  /** The id of the picture to which an address of ours leads; null for any other address. */
  idIn(address: string): string | null {
    return pictureAt(address, this.bases)?.id ?? null;
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
