import type { Person } from '../../support/factories.js';
import type { Answer } from '../../support/client.js';
import { openBlogFixture } from '../core/fixture.js';

export type Role = 'author' | 'editor';

export interface Comment {
  readonly _id: string;
  readonly text: string;
  readonly quote?: string;
  readonly quoteFound?: boolean;
  readonly replyTo?: string;
  readonly resolved: boolean;
  readonly by: { readonly _id: string; readonly name: string };
  readonly at: string;
  readonly rev: number;
}

type Caller = Pick<Person, 'client'>;

/** Calls the comment routes of one role. */
export class CommentRoutes {
  constructor(
    private readonly caller: Caller,
    private readonly role: Role,
  ) {}

  path(blog: string, comment?: string): string {
    return `/blog/${this.role}/comments/id/${[blog, ...(comment ? [comment] : [])].join('/')}`;
  }

  list(blog: string, query = ''): Promise<Answer<Comment[]>> {
    return this.caller.client.get<Comment[]>(this.path(blog) + query);
  }

  create(blog: string, body: object = { text: 'A comment' }): Promise<Answer<Comment>> {
    return this.caller.client.post<Comment>(this.path(blog), body);
  }

  change(blog: string, comment: string, body: object): Promise<Answer<Comment>> {
    return this.caller.client.put<Comment>(this.path(blog, comment), body);
  }

  remove(blog: string, comment: string): Promise<Answer<undefined>> {
    return this.caller.client.delete<undefined>(this.path(blog, comment));
  }

  /** @throws Error if the comment is refused */
  async created(blog: string, body: object = { text: 'A comment' }): Promise<Comment> {
    const { status, body: answer } = await this.create(blog, body);
    if (status !== 200) throw new Error(`no comment: ${answer.message}`);
    return answer.data;
  }
}

/** Opens a server. `author` and `editor` call its comment routes. */
export async function openCommentFixture() {
  const fixture = await openBlogFixture();
  return {
    fixture,
    author: new CommentRoutes(fixture.author, 'author'),
    editor: new CommentRoutes(fixture.editor, 'editor'),
  };
}
