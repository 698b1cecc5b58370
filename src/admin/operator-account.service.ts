import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { PasswordService } from '../auth/password/password.service.js';
import type { Actor } from '../events/audit/audit.service.js';
import { parseInput } from '../platform/http/input/parse-input.js';
import { normalizeEmail } from '../user/email.decorator.js';
import { RoleService } from '../user/role.service.js';
import { UserNotFoundError } from '../user/user.errors.js';
import { UserService, type Credentials } from '../user/user.service.js';
import { NewAccountDto, NewPasswordDto } from './dto/operator-account.dto.js';

/** Lets an operator manage accounts by the command line, without an account of their own. */
@Injectable()
export class OperatorAccountService {
  constructor(
    private readonly users: UserService,
    private readonly roles: RoleService,
    private readonly passwords: PasswordService,
  ) {}

  /**
   * @param input the fields of NewAccountDto, not checked yet
   * @param actor who creates the account
   * @returns the id of the account
   * @throws InvalidBodyError @throws AlreadyRegisteredError
   */
  async create(input: object, actor: Actor): Promise<Types.ObjectId> {
    const account = parseInput(input, { metatype: NewAccountDto, type: 'body' }) as NewAccountDto;
    const { email, name, password, roles } = account;
    const created = {
      email,
      name,
      passwordHash: await this.passwords.hashNew(password, account, 'password'),
      roles: await this.roles.idsOf([...new Set(roles)]),
    };
    return (await this.users.create(created, actor))._id;
  }

  /**
   * Sets the password and ends all sessions of the account.
   *
   * @throws InvalidBodyError
   * @throws UserNotFoundError
   */
  async setPassword(email: string, newPassword: string): Promise<void> {
    const input = { password: newPassword };
    const { password } = parseInput(input, {
      metatype: NewPasswordDto,
      type: 'body',
    }) as NewPasswordDto;
    await this.passwords.reset(await this.find(email), password);
  }

  /**
   * @param email the email address; case is ignored
   * @throws UserNotFoundError
   */
  async find(email: string): Promise<Credentials> {
    const account = await this.users.findCredentials({ email: normalizeEmail(email) });
    if (!account) throw new UserNotFoundError();
    return account;
  }
}
