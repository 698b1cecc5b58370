import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { HTTP_ADDRESS, ID } from '../../../platform/http/openapi/properties.js';
import { isHttpUrl } from '../../../platform/http/validation/http-url.js';
import { CoverView, toCoverView } from '../../media/cover/cover.view.js';
import type { LinksOf } from '../../../platform/picture/picture-address.js';
import {
  ruleOf,
  type BlogFieldRule,
  type LiveField,
  type StoredLiveFields,
  type ViewFields,
} from '../blog-fields.js';
import type { Blog } from '../blog.schema.js';

const TEXT = { type: String };

/** How OpenAPI describes the values of each kind of field. */
const FORMS: Readonly<Record<BlogFieldRule['kind'], ApiPropertyOptions>> = {
  text: TEXT,
  html: TEXT,
  markdown: TEXT,
  slug: TEXT,
  tags: { type: [String] },
  address: HTTP_ADDRESS,
  picture: { type: CoverView },
};

/** Documents a field of a view as its row of BLOG_FIELDS says. */
function BlogField(): (view: object, name: LiveField) => void {
  return (view, name) => {
    const { kind, presence, example } = ruleOf(name);
    const required = presence !== 'optional';
    // A picture has the examples of its own fields.
    const shown = kind === 'picture' ? {} : { example };
    ApiProperty({ ...FORMS[kind], required, ...shown } as ApiPropertyOptions)(view, name);
  };
}

/** The fields that all views of a blog have. */
export class BlogView implements ViewFields<CoverView> {
  @ApiProperty(ID)
  readonly _id!: string;

  @BlogField()
  readonly title!: string;

  @BlogField()
  readonly description!: string;

  @BlogField()
  readonly slug!: string;

  @BlogField()
  readonly imgUrl!: string | undefined;

  @BlogField()
  readonly cover!: CoverView | undefined;

  @ApiProperty({ example: 0.01, description: 'Set by the server, never by a client.' })
  readonly score!: number;

  @BlogField()
  readonly tags!: readonly string[];
}

/** One version of a blog: the live one, or the working copy. */
export type BlogVersion = Pick<StoredLiveFields, LiveField>;

/**
 * Maps one version of a blog. Records of an older server may lack tags or have an invalid image
 * URL.
 *
 * @param linksOf gives the cover the addresses that the reader of the view may open
 */
export function toBlogView(
  { _id, score }: Pick<Blog, '_id' | 'score'>,
  version: BlogVersion,
  linksOf: LinksOf,
): BlogView {
  const { title, description, slug, tags } = version;
  return {
    _id: _id.toHexString(),
    title,
    description,
    slug,
    ...picturesOf(version, linksOf),
    score,
    tags: tags ?? [],
  };
}

/** The picture of a version: its cover, of which `imgUrl` is one size, or a picture that is elsewhere. */
export function picturesOf(
  { imgUrl, cover }: Pick<BlogVersion, 'imgUrl' | 'cover'>,
  linksOf: LinksOf,
): Pick<BlogView, 'imgUrl' | 'cover'> {
  if (!cover) return { imgUrl: isHttpUrl(imgUrl) ? imgUrl : undefined, cover: undefined };
  const view = toCoverView(cover, linksOf);
  // Without PUBLIC_URL and MEDIA_URL, our addresses are paths.
  return { imgUrl: view.url.startsWith('/') ? undefined : view.url, cover: view };
}
