import type { NewBlogBody } from '../blog-fields.js';
import type { CoverChoice } from '../../media/cover/cover.js';
import { BlogField } from './blog-field.decorator.js';

/**
 * Makes CreateBlogDto declare every field of the body. An optional field has the type `… |
 * undefined`.
 */
type EveryField = { readonly [Name in keyof NewBlogBody]-?: NewBlogBody[Name] };

export class CreateBlogDto implements EveryField {
  @BlogField()
  readonly title!: string;

  @BlogField()
  readonly description!: string;

  @BlogField()
  readonly draftText: string | undefined;

  @BlogField()
  readonly draftMarkdown: string | null | undefined;

  @BlogField()
  readonly slug: string | undefined;

  @BlogField()
  readonly imgUrl: string | null | undefined;

  @BlogField()
  readonly cover: CoverChoice | null | undefined;

  @BlogField()
  readonly tags: readonly string[] | undefined;
}
