import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { HTTP_ADDRESS, ID } from '../../../platform/http/openapi/properties.js';
import { isHttpUrl } from '../../../platform/http/validation/http-url.js';
import { ruleOf, type LiveField, type StoredLiveFields, type ViewFields } from '../blog-fields.js';
import type { Blog } from '../blog.schema.js';

/** Documents a field of a view as its row of BLOG_FIELDS says. */
function BlogField(): (view: object, name: LiveField) => void {
  return (view, name) => {
    const { kind, presence, example } = ruleOf(name);
    const type = kind === 'tags' ? [String] : String;
    const form = kind === 'address' ? HTTP_ADDRESS : { type };
    const required = presence !== 'optional';
    ApiProperty({ ...form, required, example } as ApiPropertyOptions)(view, name);
  };
}

/** The fields that all views of a blog have. */
export class BlogView implements ViewFields {
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
 */
export function toBlogView(
  { _id, score }: Pick<Blog, '_id' | 'score'>,
  { title, description, slug, imgUrl, tags }: BlogVersion,
): BlogView {
  return {
    _id: _id.toHexString(),
    title,
    description,
    slug,
    imgUrl: isHttpUrl(imgUrl) ? imgUrl : undefined,
    score,
    tags: tags ?? [],
  };
}
