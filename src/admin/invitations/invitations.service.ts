import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { LinkMails } from '../../auth/one-time-tokens/link-mails.service.js';
import { OneTimeTokens } from '../../auth/one-time-tokens/one-time-tokens.service.js';
import { SignUpPolicy } from '../../auth/sign-up-policy.service.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { NoticeMaker } from '../../events/notices/making/notice-maker.service.js';
import { MailService } from '../../events/mail/mail.service.js';
import { Clock } from '../../platform/clock.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { isDuplicateKey } from '../../platform/database/is-duplicate-key.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import { skipOf, type PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { Idempotency } from '../../platform/idempotency/idempotency.service.js';
import { UserService } from '../../user/user.service.js';
import { CreateInvitationDto } from './create-invitation.dto.js';
import { AlreadyInvitedError, InvitationNotFoundError } from './invitation.errors.js';
import { Invitation } from './invitation.schema.js';
import { toInvitationView, type InvitationView } from './invitation.view.js';

const KIND = 'invitation';

/** Lets admins invite people by mail. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectModel(Invitation.name) private readonly invitations: Model<Invitation>,
    private readonly tokens: OneTimeTokens,
    private readonly linkMails: LinkMails,
    private readonly mails: MailService,
    private readonly notices: NoticeMaker,
    private readonly policy: SignUpPolicy,
    private readonly users: UserService,
    private readonly idempotency: Idempotency,
    private readonly database: DatabaseService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** A page of the invitations, newest first. */
  async list(page: PageQuery): Promise<InvitationView[]> {
    const found = await this.invitations
      .find({})
      .sort({ createdAt: -1, _id: -1 })
      .skip(skipOf(page))
      .limit(page.limit)
      .read('primary')
      .lean<Invitation[]>();
    return found.map((invitation) => toInvitationView(invitation, this.clock.now()));
  }

  /**
   * Stores an invitation and its mail.
   *
   * @throws MailNotConfiguredError @throws SignUpClosedError
   * @throws AlreadyInvitedError if the address has an open invitation
   */
  async create(
    admin: Caller,
    { email, roles, name }: CreateInvitationDto,
    creation: Creation | null,
  ): Promise<InvitationView> {
    this.mails.demand();
    this.policy.demandInvitations();
    const created = await this.idempotency.once<Invitation>(creation, {
      records: this.invitations,
      insert: async (fields) => {
        const now = this.clock.now();
        const record = new this.invitations({
          ...fields,
          email,
          roles: [...new Set(roles)],
          ...(name === undefined ? {} : { name }),
          invitedBy: admin.userId,
          createdAt: now,
          sentAt: now,
          expiresAt: this.tokens.endOf(KIND),
          isOpen: true,
        }).toObject<Invitation>();
        await this.insert(record, admin);
        return record;
      },
      gone: () => new InvitationNotFoundError(),
    });
    return toInvitationView(created, this.clock.now());
  }

  /**
   * Sends an open invitation again, which ends the link of the former mail.
   *
   * @throws MailNotConfiguredError
   * @throws InvitationNotFoundError also for an accepted invitation
   */
  async resend(admin: Caller, id: Types.ObjectId): Promise<InvitationView> {
    this.mails.demand();
    let sent: Invitation | null = null;
    await this.database.transaction(async (transaction) => {
      const times = { sentAt: this.clock.now(), expiresAt: this.tokens.endOf(KIND) };
      sent = await this.invitations
        .findOneAndUpdate(
          { _id: id, isOpen: true },
          { $set: { ...times, invitedBy: admin.userId } },
          { returnDocument: 'after', hint: { _id: 1 }, ...inTransaction(transaction) },
        )
        .lean<Invitation | null>();
      if (!sent) throw new InvitationNotFoundError();
      await this.tokens.end(id, [KIND], transaction);
      await this.send(sent, transaction);
      await this.audit.record({ kind: 'invitation.sent', actor: admin, subject: id }, transaction);
    });
    if (!sent) throw new InvitationNotFoundError();
    return toInvitationView(sent, this.clock.now());
  }

  /** Ends the invitations that an account has sent and nobody has accepted yet, and removes those to its address. */
  async removeOf(
    { _id: admin, email }: { readonly _id: Types.ObjectId; readonly email: string },
    transaction: ClientSession | null,
  ): Promise<void> {
    const open = await this.invitations
      .find({ $or: [{ invitedBy: admin, isOpen: true }, { email }] })
      .select(['_id'])
      .session(transaction)
      .lean<Pick<Invitation, '_id'>[]>();
    for (const { _id } of open) await this.tokens.end(_id, [KIND], transaction);
    const ids = open.map(({ _id }) => _id);
    await this.invitations.deleteMany({ _id: { $in: ids } }, inTransaction(transaction));
  }

  /** Withdraws an invitation: its link ends. @throws InvitationNotFoundError */
  async withdraw(admin: Caller, id: Types.ObjectId): Promise<void> {
    await this.idempotency.beforeRemoval(this.invitations, { _id: id });
    await this.database.transaction(async (transaction) => {
      const { deletedCount } = await this.invitations.deleteOne(
        { _id: id },
        inTransaction(transaction),
      );
      if (deletedCount === 0) throw new InvitationNotFoundError();
      await this.tokens.end(id, [KIND], transaction);
      const act = { kind: 'invitation.withdrawn' as const, actor: admin, subject: id };
      await this.audit.record(act, transaction);
    });
  }

  private async insert(invitation: Invitation, admin: Caller): Promise<void> {
    const { _id, email, roles } = invitation;
    try {
      await this.database.transaction(async (transaction) => {
        // An expired invitation makes room for a new one.
        const expired = { email, isOpen: true as const, expiresAt: { $lte: this.clock.now() } };
        await this.invitations.deleteMany(expired, inTransaction(transaction));
        await this.invitations.create([invitation], inTransaction(transaction));
        await this.send(invitation, transaction);
        await this.notices.invite({ _id, email, by: admin.userId }, transaction);
        const act = { kind: 'invitation.created' as const, actor: admin, subject: _id };
        await this.audit.record({ ...act, details: { roles } }, transaction);
      });
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw new AlreadyInvitedError();
      throw error;
    }
  }

  private async send(
    { _id, email, invitedBy }: Invitation,
    transaction: ClientSession | null,
  ): Promise<void> {
    const inviter = (await this.users.findView(invitedBy))?.name ?? '';
    await this.linkMails.send(
      { mail: KIND, token: KIND, to: email, owner: _id, values: { inviter } },
      transaction,
    );
  }
}
