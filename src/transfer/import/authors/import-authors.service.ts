import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { PasswordHasher } from '../../../auth/password/password-hasher.js';
import { NOBODY } from '../../../events/audit/audit.service.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { isEmailAddress, normalizeEmail } from '../../../user/email.decorator.js';
import { RoleService } from '../../../user/role.service.js';
import { UserService } from '../../../user/user.service.js';

import type {
  AuthorsFile,
  ImportedArticle,
  Refusal,
  SourceAuthor,
} from '../articles/imported-article.js';
import type { ImportReport } from '../import-report.js';
import { authorKey } from './authors-file.js';
import { asOneLine, withoutForbidden } from '../../../platform/text/characters.js';
import { newName } from '../../../user/names/name.decorator.js';
import { namesIn, placeholderAddress } from './placeholder.js';

/** The name of an account for an author whose own name no account may have. */
const UNUSABLE_NAME = 'Imported author';

/** Longest name in characters. */
const NAME_MAX = 200;

/** The author of an article, and notes about those that it had besides. */
export interface FoundAuthor {
  readonly author: Types.ObjectId;
  readonly notes: readonly string[];
}

/** The authors of one import. */
export interface AuthorMap {
  of(article: Pick<ImportedArticle, 'authors'>): Promise<FoundAuthor | Refusal>;
}

/** Who the authors of an import are. */
export interface AuthorOptions {
  /** Email address of the author of all articles whose author the file does not name; null for none. */
  readonly address: string | null;
  readonly file: AuthorsFile | null;
}

/** Finds the accounts of authors, and creates missing ones. */
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
   * An author with an address gets the account with this address. An author of whom only the name is known gets a
   * disabled account with an address that no mail reaches.
   *
   * @param report gets the accounts that are missing and created, unless `dryRun` is set, and a note on each account
   *   that is disabled or lacks the role AUTHOR
   * @throws OperatorError when there is no author with that address
   */
  async open({ address, file }: AuthorOptions, report: ImportReport): Promise<AuthorMap> {
    const forAll = address === null ? null : await this.find(address);
    const known = new Map<string, Types.ObjectId>();
    const idOf = async (author: SourceAuthor): Promise<Types.ObjectId> => {
      const key = identityOf(author);
      const id =
        known.get(key) ??
        (isEmailAddress(key)
          ? await this.findOrCreate(key, author, report)
          : await this.findOrCreatePlaceholder(author.name ?? '', report));
      known.set(key, id);
      return id;
    };
    return {
      of: async ({ authors: given }) => {
        const authors = unique(given.flatMap((author) => resolved(author, file)));
        const [first, ...others] = authors.map(({ author }) => author);
        if (forAll && !(authors[0]?.isInFile ?? false)) {
          const replaced = authors.map(({ author }) => author).filter((each) => !forAll.is(each));
          const notes =
            replaced.length === 0
              ? []
              : [`its author ${shownNames(replaced)} is not kept, because of --author`];
          return { author: forAll.id, notes };
        }
        if (first === undefined) {
          return { reason: 'it names no author: give one for all articles by --author EMAIL' };
        }
        const notes =
          others.length === 0
            ? []
            : [`${authors.length} authors: the first is its author, without ${shownNames(others)}`];
        return { author: await idOf(first), notes };
      },
    };
  }

  private async find(
    address: string,
  ): Promise<{ readonly id: Types.ObjectId; is(author: SourceAuthor): boolean }> {
    const email = normalizeEmail(address);
    const user = await this.users.findCredentials({ email });
    if (!user) throw new OperatorError(`There is no account with the address ${email}: make one.`);
    if (!(await this.users.isEnabledWith(user._id, 'AUTHOR'))) {
      throw new OperatorError(
        `${email} is disabled or has not the role AUTHOR: give it the role, or name another author.`,
      );
    }
    const name = authorKey(user.name);
    return {
      id: user._id,
      is: (author) =>
        normalizeEmail(author.email ?? '') === email || authorKey(author.name ?? '') === name,
    };
  }

  private async findOrCreate(
    email: string,
    author: SourceAuthor,
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
    const name = storedName(author.name ?? '') || (email.split('@')[0] ?? email);
    report.changed.push(...renamed(author.name ?? '', { name, email }));
    return report.dryRun ? new Types.ObjectId() : this.create({ email, name, isEnabled: true });
  }

  /** The account of an author of whom only the name is known. */
  private async findOrCreatePlaceholder(
    given: string,
    report: ImportReport,
  ): Promise<Types.ObjectId> {
    for (let number = 1; ; number += 1) {
      const email = placeholderAddress(given, number);
      const user = await this.users.findCredentials({ email });
      // Anybody can sign up with such an address, but only an import or an admin makes an author of the account.
      const roles = user ? ((await this.users.findView(user._id))?.roles ?? []) : [];
      if (user && !roles.some(({ code }) => code === 'AUTHOR')) continue;
      const name = storedName(given) || UNUSABLE_NAME;
      report.authorsByName.push({ name, email, isNew: user === null });
      if (user) return user._id;
      report.changed.push(...renamed(given, { name, email }));
      return report.dryRun ? new Types.ObjectId() : this.create({ email, name, isEnabled: false });
    }
  }

  private async create(account: {
    readonly email: string;
    readonly name: string;
    readonly isEnabled: boolean;
  }): Promise<Types.ObjectId> {
    const user = {
      ...account,
      // The password is random, and nobody knows it: nobody can sign in, and an attempt takes as long
      // as with any other account.
      passwordHash: await this.hasher.hash(randomBytes(32).toString('base64url')),
      roles: await this.roles.idsOf(['LEARNER', 'AUTHOR']),
    };
    return (await this.users.create(user, NOBODY))._id;
  }
}

interface ResolvedAuthor {
  readonly author: SourceAuthor;
  readonly isInFile: boolean;
}

/** Who is meant by an author of an article: those of the file, or those whom the article itself names. */
function resolved(author: SourceAuthor, file: AuthorsFile | null): ResolvedAuthor[] {
  const found = file?.find(author) ?? null;
  if (found) {
    const name = found.name ?? author.name ?? author.key;
    return [{ author: { ...found, name, email: found.email ?? author.email }, isInFile: true }];
  }
  const name = author.name ?? author.key;
  if (author.email !== null && isEmailAddress(normalizeEmail(author.email))) {
    return [{ author: { ...author, name }, isInFile: false }];
  }
  const isKnown = (key: string): boolean => Boolean(file?.find({ key, name: null, email: null }));
  const names = namesIn(name ?? '', isKnown);
  if (names.length === 1) return [{ author: { ...author, name }, isInFile: false }];
  return names.flatMap((each) => resolved({ key: null, name: each, email: null }, file));
}

/** The address of an author, or the name if no address is known. */
function identityOf(author: SourceAuthor): string {
  const email = normalizeEmail(author.email ?? '');
  return isEmailAddress(email) ? email : `name ${authorKey(author.name ?? '')}`;
}

/** An article may name an author twice, such as in `author` and in `authors`. */
function unique(authors: readonly ResolvedAuthor[]): ResolvedAuthor[] {
  const byIdentity = new Map<string, ResolvedAuthor>();
  for (const each of authors) {
    const identity = identityOf(each.author);
    if (!byIdentity.has(identity)) byIdentity.set(identity, each);
  }
  return [...byIdentity.values()];
}

function shownNames(authors: readonly SourceAuthor[]): string {
  return authors.map(({ name, email }) => `"${name ?? email ?? ''}"`).join(', ');
}

/** The name as an account may have it; '' for a name that no account may have, such as "Former author". */
function storedName(name: string): string {
  const text = withoutForbidden(asOneLine(name.toWellFormed())).trim();
  const { value, problem } = newName(Array.from(text).slice(0, NAME_MAX).join(''));
  return problem === null ? value : '';
}

/** A note on a new account whose name is not the given one. */
function renamed(
  given: string,
  { name, email }: { readonly name: string; readonly email: string },
): ImportReport['changed'] {
  const shown = given.trim();
  if (shown === '' || shown === name) return [];
  return [{ source: email, reason: `the name "${shown}" is now "${name}"` }];
}
