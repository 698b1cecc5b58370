import { Injectable } from '@nestjs/common';
import { BlogReaders, type BlogReader } from '../../blog/core/lists/blog-readers.service.js';
import type { EnabledAccount } from '../../user/enabled-accounts.service.js';
import { UserService } from '../../user/user.service.js';
import { toPersonView } from '../../user/views/author.view.js';
import { MailTexts } from '../mail/texts/mail-texts.service.js';
import { textOfNotice } from './mails/notice-texts.js';
import { hears, NOTICE_KINDS, type NoticeWay } from './notice-kinds.js';
import type { NoticeView } from './notice.view.js';
import type { Notice } from './store/notice.schema.js';

/** Who reads a notice, and by which way. */
export interface NoticeReader extends BlogReader, Pick<EnabledAccount, 'noticeWays'> {
  readonly way: NoticeWay;
}

/** @returns null unless the reader may still read what the notice is about, and hears of its kind by this way */
export type Wording = (notice: Notice, reader: NoticeReader) => NoticeView | null;

/** Puts notices into words. */
@Injectable()
export class NoticeWords {
  constructor(
    private readonly readers: BlogReaders,
    private readonly users: UserService,
    private readonly texts: MailTexts,
  ) {}

  /** Reads what the notices are about, with one query for all of them. */
  async prepare(notices: readonly Notice[]): Promise<Wording> {
    const [blogs, names] = await Promise.all([
      this.readers.find(notices.flatMap(({ blog }) => blog ?? [])),
      this.users.namesOf(notices.flatMap(({ by }) => by ?? [])),
    ]);
    return ({ _id: seq, kind, createdAt: at, unread, by, blog, comment }, reader) => {
      if (!hears(reader.noticeWays, kind, reader.way)) return null;
      const about = blog && blogs.get(blog.toHexString());
      const name = this.readers.nameFor(reader, about);
      const isReadable = name ?? (name === null && NOTICE_KINDS[kind].isOfComment);
      if (blog && !isReadable) return null;
      const person = by && toPersonView(by, names);
      const { title, slug } = name ?? {};
      return {
        seq,
        kind,
        at,
        read: unread !== true,
        text: textOfNotice(this.texts.language, kind, { by: person?.name, title }),
        ...(person ? { by: person } : {}),
        ...(blog
          ? {
              blog: {
                _id: blog.toHexString(),
                ...(title === undefined ? {} : { title }),
                ...(slug === undefined ? {} : { slug }),
              },
            }
          : {}),
        ...(comment ? { comment: comment.toHexString() } : {}),
      };
    };
  }
}
