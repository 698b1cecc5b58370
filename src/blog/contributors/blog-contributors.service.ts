import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { AuditService } from '../../events/audit/audit.service.js';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import { BlogTransitionService } from '../core/transitions/blog-transition.service.js';

/** Lets admins clear the contributors of a blog, so that no two editors can keep each other from publishing it. */
@Injectable()
export class BlogContributorsService {
  constructor(
    private readonly transitions: BlogTransitionService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Clears who has contributed so far, to the working copy and to the live version. The author stays one.
   *
   * @throws BlogNotFoundError also for a deleted blog
   * @throws StaleRevisionError
   */
  async clear(caller: Caller, id: Types.ObjectId): Promise<void> {
    const act = { kind: 'blog.contributors', actor: caller, subject: id } as const;
    await this.transitions.apply('clearContributors', {
      id,
      actor: caller.userId,
      ifMatch: null,
      alongside: (transaction) => this.audit.record(act, transaction),
    });
  }
}
