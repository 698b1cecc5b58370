import { isHttpUrl } from '../common/validation/http-url.js';
import type { Blog } from './blog.schema.js';

/** What the working copy and the live version have in common. */
export interface BlogContent {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly tags: readonly string[];
  readonly imgUrl?: string;
}

type ContentSource = Omit<BlogContent, 'tags' | 'imgUrl'> & {
  readonly tags?: readonly string[] | null;
  readonly imgUrl?: string | null;
};

/** Allow-list of the shared fields; an image address of an older database that is none is hidden. */
export function toContent({ title, description, slug, tags, imgUrl }: ContentSource): BlogContent {
  return {
    title,
    description,
    slug,
    tags: tags ?? [],
    ...(isHttpUrl(imgUrl) ? { imgUrl } : {}),
  };
}

/** What an editor may see: the submitted revision, else the live version, never a mere draft. */
export function editorContent(blog: Blog): BlogContent {
  return toContent(blog.submitted || !blog.live ? blog : blog.live);
}
