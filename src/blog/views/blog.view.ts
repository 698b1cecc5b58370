import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { HTTP_ADDRESS, ID } from '../../common/openapi/properties.js';
import { isHttpUrl } from '../../common/validation/http-url.js';
import { ruleOf, type LiveField, type StoredLiveFields, type ViewFields } from '../blog-fields.js';
import type { Blog } from '../blog.schema.js';

/** Describes a field by its row of BLOG_FIELDS. */
function BlogField(): (view: object, name: LiveField) => void {
  return (view, name) => {
    const { kind, presence, example } = ruleOf(name);
    const type = kind === 'tags' ? [String] : String;
    const form = kind === 'address' ? HTTP_ADDRESS : { type };
    const required = presence !== 'optional';
    ApiProperty({ ...form, required, example } as ApiPropertyOptions)(view, name);
  };
}

/** The fields that every view of a blog shares. */
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

/** What `toBlogView` reads of one version of a blog: of `live`, or of the working copy. */
export type BlogVersion = Pick<StoredLiveFields, LiveField>;

/** A record of an older server may lack its tags, or hold an image address that is none. */
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
