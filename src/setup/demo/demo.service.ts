import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { PasswordHasher } from '../../auth/password/password-hasher.js';
import { BlogAuthorService } from '../../blog-author/blog-author.service.js';
import { SlugTakenError } from '../../blog/blog.errors.js';
import { BlogMoveService } from '../../blog/blog-move.service.js';
import { RoleService } from '../../user/role.service.js';
import { UserService } from '../../user/user.service.js';
import { DEMO_BLOGS, type DemoBlog } from './demo-content.js';
import { DEMO_PEOPLE, type DemoPerson, type DemoPersonName } from './demo-people.js';
import { PATH_TO_STATE } from './path-to-state.js';

export interface DemoReport {
  /** Number of users that this call has inserted. */
  readonly people: number;
  /** Number of articles that this call has inserted. */
  readonly blogs: number;
  /** The password of the inserted users; null when none was inserted. */
  readonly password: string | null;
}

interface DemoTeam {
  readonly inserted: number;
  readonly ids: Record<DemoPersonName, Types.ObjectId>;
}

/** Inserts demo users and articles through the services of the API. */
@Injectable()
export class DemoService {
  constructor(
    private readonly users: UserService,
    private readonly roles: RoleService,
    private readonly hasher: PasswordHasher,
    private readonly authors: BlogAuthorService,
    private readonly moves: BlogMoveService,
  ) {}

  /**
   * Inserts the users and articles that are missing. Existing email addresses and slugs stay unchanged,
   * so the seed can be repeated.
   *
   * @param password of the inserted users; random by default
   */
  async seed({
    password = randomBytes(9).toString('base64url'),
  }: { readonly password?: string | undefined } = {}): Promise<DemoReport> {
    const { inserted: people, ids } = await this.ensurePeople(await this.hasher.hash(password));
    let blogs = 0;
    for (const blog of DEMO_BLOGS) if (await this.ensureBlog(blog, ids)) blogs += 1;
    return { people, blogs, password: people > 0 ? password : null };
  }

  private async ensurePeople(passwordHash: string): Promise<DemoTeam> {
    const ids: Partial<Record<DemoPersonName, Types.ObjectId>> = {};
    let inserted = 0;
    for (const [name, person] of Object.entries(DEMO_PEOPLE)) {
      const known = await this.users.findCredentials({ email: person.email });
      if (!known) inserted += 1;
      ids[name as DemoPersonName] = known?._id ?? (await this.insertPerson(person, passwordHash));
    }
    return { inserted, ids: ids as DemoTeam['ids'] };
  }

  private async insertPerson(person: DemoPerson, passwordHash: string): Promise<Types.ObjectId> {
    const { email, name } = person;
    const roles = await this.roles.idsOf(person.roles);
    return (await this.users.create({ email, name, passwordHash, roles }))._id;
  }

  /** @returns false when the slug is taken, usually because an earlier call has inserted it */
  private async ensureBlog(blog: DemoBlog, ids: DemoTeam['ids']): Promise<boolean> {
    const { author: name, state, edit = {}, ...body } = blog;
    const author = ids[name];
    try {
      const { view } = await this.authors.create(author, body);
      const id = new Types.ObjectId(view._id);
      for (const move of PATH_TO_STATE[state]) {
        if (move === 'edit') await this.authors.update(author, id, edit, null);
        else if (move === 'submit') await this.authors.move(move, author, id, null);
        else await this.moves.move(move, { id, actor: ids.wen, ifMatch: null });
      }
      return true;
    } catch (error) {
      if (error instanceof SlugTakenError) return false;
      throw error;
    }
  }
}
