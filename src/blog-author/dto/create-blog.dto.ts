import { HttpUrl } from '../../common/validation/http-url.js';
import { Text, TextList } from '../../common/validation/text.decorator.js';
import { BLOG_TEXT } from './blog-text.js';
import { Slug } from './slug.decorator.js';

export class CreateBlogDto {
  @Text(BLOG_TEXT.title)
  readonly title!: string;

  @Text(BLOG_TEXT.description)
  readonly description!: string;

  @Text(BLOG_TEXT.draftText)
  readonly draftText!: string;

  @Slug()
  readonly slug?: string;

  @HttpUrl(BLOG_TEXT.imgUrl)
  readonly imgUrl?: string | null;

  @TextList({ ...BLOG_TEXT.tags, optional: true })
  readonly tags?: readonly string[];
}
