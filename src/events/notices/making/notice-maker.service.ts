import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientSession, Types } from 'mongoose';
import { BlogReaders, type DeskBlog } from '../../../blog/core/lists/blog-readers.service.js';
import { BlogActs, type BlogAct } from '../../../blog/history/blog-acts.service.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { EnabledAccounts, type EnabledAccount } from '../../../user/enabled-accounts.service.js';
import { UserService } from '../../../user/user.service.js';
import { MailService } from '../../mail/mail.service.js';
import { hears, type NoticeKind } from '../notice-kinds.js';
import { NoticeStore, type NewNotice } from '../store/notice-store.service.js';
import { receiversOf } from './receivers.js';

/** Largest number of acts whose notices one transaction stores. */
const BATCH = 25;

/** Makes notices of what was done with blogs, and the mails of those who want one at once. */
@Injectable()
export class NoticeMaker implements OnModuleInit {
  constructor(
    private readonly acts: BlogActs,
    private readonly readers: BlogReaders,
    private readonly users: UserService,
    private readonly accounts: EnabledAccounts,
    private readonly store: NoticeStore,
    private readonly mails: MailService,
    private readonly database: DatabaseService,
  ) {}

  onModuleInit(): void {
    this.acts.listen((acts) => this.make(acts));
  }

  /** Tells the account with this address, if there is one, of an invitation. The invitation has a mail of its own. */
  async invite(
    { _id, email, by }: { _id: Types.ObjectId; email: string; by: Types.ObjectId },
    transaction: ClientSession | null,
  ): Promise<void> {
    const account = await this.users.findCredentials({ email });
    if (!account || account._id.equals(by)) return;
    const notice = { user: account._id, kind: 'invited' as const, cause: _id.toHexString(), by };
    await this.store.add([notice], transaction);
  }

  /** May be repeated with the same acts. */
  private async make(acts: readonly BlogAct[]): Promise<void> {
    const editors = cached(() => this.accounts.idsWith('EDITOR'));
    const noticed = acts.filter((act) => receiversOf(act) !== null);
    for (let start = 0; start < noticed.length; start += BATCH) {
      const batch = noticed.slice(start, start + BATCH);
      const blogs = await this.readers.find(batch.map(({ blog }) => blog));
      const wanted: NewNotice[] = [];
      for (const act of batch) {
        const blog = blogs.get(act.blog.toHexString());
        if (blog) wanted.push(...(await noticesOf(act, blog, editors)));
      }
      await this.save(wanted);
    }
  }

  private async save(wanted: readonly NewNotice[]): Promise<void> {
    const accounts = await this.accounts.find(wanted.map(({ user }) => user));
    const byId = new Map(accounts.map((account) => [account.userId.toHexString(), account]));
    const accountOf = ({ user }: NewNotice): EnabledAccount | undefined =>
      byId.get(user.toHexString());
    const receivable = wanted.filter(accountOf);
    if (receivable.length === 0) return;
    await this.database.transaction(async (transaction) => {
      for (const notice of await this.store.add(receivable, transaction)) {
        const { _id, cause, user, kind } = notice;
        if (!hears(accountOf(notice)?.noticeWays ?? {}, kind, 'mail')) continue;
        const mail = { kind: 'notice' as const, user, to: '', values: { seq: String(_id) } };
        await this.mails.enqueue({ ...mail, once: `${cause} ${user.toHexString()}` }, transaction);
      }
    });
  }
}

/** The notices of an act. Nobody is told of the own act, and nobody twice of one act. */
async function noticesOf(
  act: BlogAct,
  blog: DeskBlog,
  editors: () => Promise<readonly Types.ObjectId[]>,
): Promise<NewNotice[]> {
  const found = new Map<string, NewNotice>();
  for (const [kind, who] of Object.entries(receiversOf(act) ?? {})) {
    for (const user of await who({ act, blog, editors })) {
      if (act.by?.equals(user) || found.has(user.toHexString())) continue;
      found.set(user.toHexString(), {
        user,
        kind: kind as NoticeKind,
        cause: act.id,
        blog: act.blog,
        ...(act.by ? { by: act.by } : {}),
        ...(act.comment ? { comment: act.comment._id } : {}),
      });
    }
  }
  return [...found.values()];
}

function cached<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= read());
}
