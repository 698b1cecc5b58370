import { textOf } from './operations/operation.js';
import {
  editorContent,
  isDrafted,
  isInReview,
  isLive,
  type Content,
  type ModelBlog,
  type World,
} from './world.js';

type View = Readonly<Record<string, unknown>>;

const isoTimeOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();

export const contentView = ({ number, slug }: Content): View => ({
  title: `Title ${number}`,
  slug,
  draftText: textOf(number),
});

/** A blog as its author sees it. Members that are undefined must be missing. */
export function authorView(world: World, blog: ModelBlog): View {
  const { returned } = blog;
  return {
    ...view(world, blog, blog.working),
    returned: returned ? { note: returned.note, by: world.people[returned.by] } : undefined,
  };
}

export function editorView(world: World, blog: ModelBlog, content = editorContent(blog)): View {
  return { ...view(world, blog, content), returned: undefined };
}

function view({ people }: World, blog: ModelBlog, content: Content): View {
  const { _id, author, assigned, note, publish, unpublish } = blog;
  return {
    _id,
    ...contentView(content),
    author: people[author],
    submitted: isInReview(blog),
    drafted: isDrafted(blog),
    published: isLive(blog),
    assignedTo: assigned ? people[assigned] : undefined,
    submissionNote: (isInReview(blog) && note) || undefined,
    publishAt: isoTimeOf(publish?.at),
    unpublishAt: isoTimeOf(unpublish?.at),
  };
}

/** The blog as readers see it. */
export function publicView({ people }: World, { _id, author }: ModelBlog, live: Content): View {
  const { title, slug, draftText: text } = contentView(live);
  return { _id, author: people[author], title, slug, text };
}
