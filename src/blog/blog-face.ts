import { isHttpUrl } from '../common/validation/http-url.js';
import type { Blog } from './schemas/blog.schema.js';

/** What the working copy and the live version have in common. */
export interface BlogFace {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly tags: readonly string[];
  readonly imgUrl?: string;
}

type FaceSource = Omit<BlogFace, 'tags' | 'imgUrl'> & {
  readonly tags?: readonly string[] | null;
  readonly imgUrl?: string | null;
};

/** Allow-list of the shared fields; an image address of an older database that is none is hidden. */
export function toFace({ title, description, slug, tags, imgUrl }: FaceSource): BlogFace {
  return {
    title,
    description,
    slug,
    tags: tags ?? [],
    ...(isHttpUrl(imgUrl) ? { imgUrl } : {}),
  };
}

/** What an editor may see: the submitted revision, else the live version, never a mere draft. */
export function editorFace(blog: Blog): BlogFace {
  return toFace(blog.submitted || !blog.live ? blog : blog.live);
}
