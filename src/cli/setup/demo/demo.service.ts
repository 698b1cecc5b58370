import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import { PasswordHasher } from '../../../auth/password/password-hasher.js';
import { BlogAuthorService } from '../../../blog/author/blog-author.service.js';
import { BlogCommentService } from '../../../blog/comments/blog-comment.service.js';
import type { NewBlogBody } from '../../../blog/core/blog-fields.js';
import { SlugTakenError } from '../../../blog/core/blog.errors.js';
import { Blog, IN_TRASH } from '../../../blog/core/blog.schema.js';
import { BlogTransitionService } from '../../../blog/core/transitions/blog-transition.service.js';
import { EditBodyService } from '../../../blog/core/transitions/edit-body.service.js';
import { PictureIntake } from '../../../blog/media/storage/picture-intake.service.js';
import { NOBODY } from '../../../events/audit/audit.service.js';
import { Clock } from '../../../platform/clock.js';
import { Env } from '../../../platform/config/env.js';
import { MongoLocation } from '../../../platform/database/mongo-location.js';
import { RoleService } from '../../../user/role.service.js';
import { UserService } from '../../../user/user.service.js';
import { stepsOf, type DemoBlog, type DemoComment, type DemoTransition } from './demo-blog.js';
import { DEMO_BLOGS } from './demo-content.js';
import { drawnCover } from './drawing/drawn-cover.ts';
import { newDemoPassword, readOrCreateDemoPassword } from './demo-password.js';
import { DEMO_PEOPLE, type DemoPerson, type DemoPersonName } from './demo-people.js';

export interface DemoReport {
  /** Number of users that this call has inserted. */
  readonly people: number;
  /** Number of articles that this call has inserted. */
  readonly blogs: number;
  /** The password of the inserted users; null when none was inserted. */
  readonly password: string | null;
}

type DemoIds = Record<DemoPersonName, Types.ObjectId>;

/** The blog to comment on, with its author and the comment to reply to. */
interface CommentedBlog {
  readonly id: Types.ObjectId;
  readonly author: Types.ObjectId;
  readonly replyTo: Types.ObjectId | undefined;
}

const DAY_MS = 86_400_000;

/** Inserts demo users and articles through the services of the API. */
@Injectable()
export class DemoService {
  constructor(
    private readonly users: UserService,
    private readonly roles: RoleService,
    private readonly hasher: PasswordHasher,
    private readonly authorBlogs: BlogAuthorService,
    private readonly transitions: BlogTransitionService,
    private readonly edits: EditBodyService,
    private readonly comments: BlogCommentService,
    private readonly intake: PictureIntake,
    private readonly clock: Clock,
    private readonly env: Env,
    private readonly location: MongoLocation,
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
  ) {}

  /**
   * Inserts the users whose email address, and the articles whose slug, the database does not have yet. It
   * changes no existing user or article, so it can be repeated.
   */
  async seed(): Promise<DemoReport> {
    const known = await this.findPeople();
    const missing = Object.entries(DEMO_PEOPLE).filter(([name]) => !(name in known));
    const password = missing.length > 0 ? await this.password() : null;
    if (password !== null) {
      const passwordHash = await this.hasher.hash(password);
      for (const [name, person] of missing) {
        known[name as DemoPersonName] = await this.insertPerson(person, passwordHash);
      }
    }
    let blogs = 0;
    for (const blog of DEMO_BLOGS) if (await this.ensureBlog(blog, known as DemoIds)) blogs += 1;
    return { people: missing.length, blogs, password };
  }

  private async findPeople(): Promise<Partial<DemoIds>> {
    const ids: Partial<DemoIds> = {};
    for (const [name, { email }] of Object.entries(DEMO_PEOPLE)) {
      const known = await this.users.findCredentials({ email });
      if (known) ids[name as DemoPersonName] = known._id;
    }
    return ids;
  }

  /** With an embedded database, the password is stored, because the page at `/docs` shows it. */
  private password(): Promise<string> {
    return this.location.isEmbedded
      ? readOrCreateDemoPassword(this.env.DATA_DIR)
      : Promise.resolve(newDemoPassword());
  }

  private async insertPerson(person: DemoPerson, passwordHash: string): Promise<Types.ObjectId> {
    const { email, name } = person;
    const roles = await this.roles.idsOf(person.roles);
    return (await this.users.create({ email, name, passwordHash, roles }, NOBODY))._id;
  }

  /** @returns false when there is an article with the slug, usually because an earlier call inserted it */
  private async ensureBlog(blog: DemoBlog, ids: DemoIds): Promise<boolean> {
    const { author: name, slug } = blog;
    const author = ids[name];
    // An article in the trash no longer holds its slug, so a second insertion would succeed. This query
    // finds such an article.
    if (await this.blogs.exists({ author, slug, ...IN_TRASH })) return false;
    if (await this.blogs.exists({ slugs: slug })) return false;
    const id = await this.insert(author, { ...blog, ...(await this.cover(author, blog)) });
    if (!id) return false;
    let comment: Types.ObjectId | undefined;
    for (const step of stepsOf(blog)) {
      if ('transition' in step) await this.apply(id, step, ids);
      else comment = await this.comment({ id, author, replyTo: comment }, step, ids);
    }
    return true;
  }

  private async cover(
    owner: Types.ObjectId,
    { slug, coverAlt: alt }: DemoBlog,
  ): Promise<Pick<NewBlogBody, 'cover'>> {
    if (alt === undefined) return {};
    const path = join(this.intake.folder, `${slug}.png`);
    await mkdir(this.intake.folder, { recursive: true, mode: 0o700 });
    try {
      await writeFile(path, drawnCover(slug));
      const { _id } = await this.intake.add(
        { path, name: `${slug}.png` },
        { owner, alt, isForArticle: true },
      );
      return { cover: { media: _id.toHexString() } };
    } finally {
      await rm(path, { force: true });
    }
  }

  /** @returns null when the slug is taken */
  private async insert(author: Types.ObjectId, body: NewBlogBody): Promise<Types.ObjectId | null> {
    try {
      return new Types.ObjectId((await this.authorBlogs.create(author, body)).view._id);
    } catch (error) {
      if (error instanceof SlugTakenError) return null;
      throw error;
    }
  }

  private async apply(
    id: Types.ObjectId,
    { by, transition, edit = {}, note, assignTo, publishInDays }: DemoTransition,
    ids: DemoIds,
  ): Promise<void> {
    const { changes } = await this.edits.editOf({ account: ids[by], id }, edit, () =>
      this.edits.storedFields({ _id: id }),
    );
    const details = {
      ...(note === undefined ? {} : { note }),
      ...(assignTo === undefined ? {} : { editor: ids[assignTo] }),
      ...(publishInDays === undefined ? {} : { publishAt: this.daysAhead(publishInDays) }),
    };
    await this.transitions.apply(transition, {
      id,
      actor: ids[by],
      ifMatch: null,
      changes,
      details,
    });
  }

  /** @returns the id of the comment */
  private async comment(
    { id, author, replyTo }: CommentedBlog,
    { by, comment: text, quote, isReply, isResolved }: DemoComment,
    ids: DemoIds,
  ): Promise<Types.ObjectId> {
    const userId = ids[by];
    const access = { as: userId.equals(author) ? 'author' : 'editor', userId, blog: id } as const;
    const body = { text, quote, replyTo: isReply && replyTo };
    const comment = new Types.ObjectId((await this.comments.create(access, body))._id);
    if (isResolved)
      await this.comments.change(access, comment, { resolved: true, text: undefined });
    return comment;
  }

  private daysAhead(days: number): Date {
    return new Date(this.clock.now().getTime() + days * DAY_MS);
  }
}
