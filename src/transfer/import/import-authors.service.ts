import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { PasswordHasher } from '../../auth/password/password-hasher.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import { isEmailAddress, normalizeEmail } from '../../user/email.decorator.js';
import { RoleService } from '../../user/role.service.js';
import { UserService } from '../../user/user.service.js';
import type { Refusal, SourceAuthor } from './articles/imported-article.js';
import type { ImportReport } from './import-report.js';

/** Longest name in characters. */
const NAME_MAX = 200;

/** The authors of one import, by their email addresses. */
export interface AuthorMap {
  of(author: SourceAuthor | null): Promise<Types.ObjectId | Refusal>;
}

/** Finds the accounts of authors by their email addresses, and creates missing ones. */
@Injectable()
export class ImportAuthorsService {
  constructor(
    private readonly users: UserService,
    private readonly roles: RoleService,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * Returns the authors of one import.
   *
   * @param address email address of the author of all articles; null for the authors that the
   *   articles name
   * @param report gets the addresses of missing accounts, which are created unless `dryRun` is set, and a
   *   note on each account that is disabled or lacks the role AUTHOR
   * @throws OperatorError when there is no author with that address
   */
  async open(address: string | null, report: ImportReport): Promise<AuthorMap> {
    if (address !== null) {
      const id = await this.find(address);
      return { of: () => Promise.resolve(id) };
    }
    const known = new Map<string, Types.ObjectId>();
    return {
      of: async (author) => {
        const email = normalizeEmail(author?.email ?? '');
        if (!isEmailAddress(email)) return { reason: missingAddressReason(author) };
        const id = known.get(email) ?? (await this.findOrCreate(email, author, report));
        known.set(email, id);
        return id;
      },
    };
  }

  private async find(address: string): Promise<Types.ObjectId> {
    const email = normalizeEmail(address);
    const user = await this.users.findCredentials({ email });
    if (!user) throw new OperatorError(`There is no account with the address ${email}: make one.`);
    if (!(await this.users.isEnabledWith(user._id, 'AUTHOR'))) {
      throw new OperatorError(
        `${email} is disabled or has not the role AUTHOR: give it the role, or name another author.`,
      );
    }
    return user._id;
  }

  private async findOrCreate(
    email: string,
    author: SourceAuthor | null,
    report: ImportReport,
  ): Promise<Types.ObjectId> {
    const user = await this.users.findCredentials({ email });
    if (user) {
      if (!(await this.users.isEnabledWith(user._id, 'AUTHOR'))) {
        const reason = 'the account is disabled or has not the role AUTHOR, and has articles now';
        report.changed.push({ source: email, reason });
      }
      return user._id;
    }
    report.createdAuthors.push(email);
    if (report.dryRun) return new Types.ObjectId();
    const created = await this.users.create({
      email,
      name: nameOf(author, email),
      // The password is random, and nobody knows it: nobody can sign in, and an attempt takes as long
      // as with any other account.
      passwordHash: await this.hasher.hash(randomBytes(32).toString('base64url')),
      roles: await this.roles.idsOf(['LEARNER', 'AUTHOR']),
    });
    return created._id;
  }
}

function nameOf(author: SourceAuthor | null, email: string): string {
  const name = author?.name?.toWellFormed().replaceAll('\0', '').trim() ?? '';
  const given = name === '' ? (email.split('@')[0] ?? email) : name;
  return Array.from(given).slice(0, NAME_MAX).join('');
}

function missingAddressReason(author: SourceAuthor | null): string {
  const name = author?.name ?? author?.email ?? null;
  const who = name === null ? 'it names no author' : `its author "${name}" has no email address`;
  return `${who}: give one for all articles by --author EMAIL`;
}
