import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { BlogTransitionService } from '../core/transitions/blog-transition.service.js';

/** Lets admins clear the contributors of a blog, so that no two editors can keep each other from publishing it. */
@Injectable()
export class BlogContributorsService {
  constructor(private readonly transitions: BlogTransitionService) {}

  /**
   * Clears who has contributed so far, to the working copy and to the live version. The author stays one.
   *
   * @throws BlogNotFoundError also for a deleted blog
   * @throws StaleRevisionError
   */
  async clear(admin: Types.ObjectId, id: Types.ObjectId): Promise<void> {
    await this.transitions.apply('clearContributors', { id, actor: admin, ifMatch: null });
  }
}
