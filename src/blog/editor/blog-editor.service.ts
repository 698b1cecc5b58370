import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { NotAnEditorError } from '../core/blog.errors.js';
import {
  EDITORIAL_INDEXES,
  HAS_SCHEDULE,
  LAST_CHANGED_FIRST,
  OLDEST_SUBMITTED_FIRST,
} from '../core/blog.indexes.js';
import { IS_SHOWN_TO_EDITORS } from '../core/blog.schema.js';
import { UpdateBlogDto } from '../core/dto/update-blog.dto.js';
import { BlogHistoryService } from '../history/blog-history.service.js';
import { HtmlCleaner } from '../core/html/html-cleaner.js';
import { PictureAddresses } from '../media/serving/picture-addresses.service.js';
import { EditorialBlogService } from '../core/lists/editorial-blog.service.js';
import { EditorialListService } from '../core/lists/editorial-list.service.js';
import { BlogTransitionService } from '../core/transitions/blog-transition.service.js';
import { EditBodyService } from '../core/transitions/edit-body.service.js';
import type { TransitionDetails, TransitionedBlog } from '../core/transitions/transition.js';
import type { TransitionName } from '../core/transitions/transition-table.js';
import { toEditorialBlogView, type EditorialBlogView } from '../core/views/editorial-blog.view.js';
import {
  editorVersion,
  peopleOf,
  type EditorialItemView,
} from '../core/views/editorial-item.view.js';
import type { HistoryItemView } from '../core/views/history-item.view.js';
import type { IfMatch } from '../../platform/http/conditional/if-match.js';
import type { FieldWarning } from '../../platform/http/envelope/envelope.js';
import { Revisioned } from '../../platform/http/conditional/revisioned.js';
import { RevisionRequiredError } from '../../platform/http/errors/api.errors.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { UserService } from '../../user/user.service.js';
import { SubmittedQuery } from './dto/submitted-query.dto.js';
import type { EditorCountsView } from './editor-counts.view.js';

/** The operations of editors on submitted and live blogs. */
@Injectable()
export class BlogEditorService {
  constructor(
    private readonly transitions: BlogTransitionService,
    private readonly users: UserService,
    private readonly html: HtmlCleaner,
    private readonly pictures: PictureAddresses,
    private readonly histories: BlogHistoryService,
    private readonly edits: EditBodyService,
    private readonly editorial: EditorialBlogService,
    private readonly lists: EditorialListService,
  ) {}

  /** @throws BlogNotFoundError also for a blog in the state draft */
  async get(id: Types.ObjectId): Promise<Revisioned<EditorialBlogView>> {
    return this.revisioned(await this.editorial.find({ _id: id, ...IS_SHOWN_TO_EDITORS }));
  }

  /**
   * A page of the events of a blog, newest first. It lists edits that were not submitted, without
   * their contents; of a draft, the events until it became one.
   *
   * @throws BlogNotFoundError also for a blog that was never submitted
   */
  async history(id: Types.ObjectId, page: PageQuery): Promise<HistoryItemView[]> {
    return this.histories.readAsEditor(id, page);
  }

  /**
   * Makes a transition of an editor.
   *
   * @param details values that the transition needs
   * @throws what `BlogTransitionService.apply` throws
   */
  async apply(
    name: TransitionName,
    editor: Types.ObjectId,
    id: Types.ObjectId,
    ifMatch: IfMatch,
    details: TransitionDetails = {},
  ): Promise<Revisioned<EditorialBlogView>> {
    const blog = await this.transitions.apply(name, { id, actor: editor, ifMatch, details });
    return this.revisioned(blog);
  }

  /**
   * Changes the given fields of a blog in review. Without any field it only checks that the blog can be
   * corrected.
   *
   * @throws RevisionRequiredError without `If-Match`
   * @throws what `EditBodyService.editOf` and `BlogTransitionService.apply` throw
   */
  async correct(
    editor: Types.ObjectId,
    id: Types.ObjectId,
    dto: UpdateBlogDto,
    ifMatch: IfMatch | undefined,
  ): Promise<Revisioned<EditorialBlogView>> {
    if (ifMatch === undefined) throw new RevisionRequiredError();
    const { changes, warnings } = await this.edits.editOf({ account: editor, id }, dto, () =>
      this.edits.storedFields({ _id: id, status: true, submitted: true }),
    );
    const request = { id, actor: editor, ifMatch, changes };
    const isEmpty = Object.keys(changes).length === 0;
    const blog = isEmpty
      ? await this.transitions.check('correct', request)
      : await this.transitions.apply('correct', request);
    return this.revisioned(blog, warnings);
  }

  /**
   * @param assigned null ends the assignment
   * @throws NotAnEditorError
   * @throws what `BlogTransitionService.apply` throws
   */
  async assign(
    editor: Types.ObjectId,
    id: Types.ObjectId,
    assigned: Types.ObjectId | null,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    if (assigned && !(await this.users.isEnabledWith(assigned, 'EDITOR'))) {
      throw new NotAnEditorError();
    }
    return this.apply('assign', editor, id, ifMatch, { editor: assigned });
  }

  /** A page of the blogs in review, of all authors. */
  async submitted(
    editor: Types.ObjectId,
    { assigned, order, ...page }: SubmittedQuery,
  ): Promise<EditorialItemView[]> {
    const isOldestFirst = order === 'oldest';
    const {
      allSubmitted,
      oldestSubmitted,
      assigned: latestAssigned,
      oldestAssigned,
    } = EDITORIAL_INDEXES;
    const [indexOfAll, indexOfAssigned] = isOldestFirst
      ? [oldestSubmitted, oldestAssigned]
      : [allSubmitted, latestAssigned];
    const filter = { submitted: true, ...assignedFilter(assigned, editor) };
    return this.lists.page(
      {
        filter,
        sort: isOldestFirst ? OLDEST_SUBMITTED_FIRST : LAST_CHANGED_FIRST,
        index: assigned === undefined ? indexOfAll : indexOfAssigned,
        versionOf: editorVersion,
      },
      page,
    );
  }

  /** A page of the live blogs of all authors, the last changed first. */
  async published(page: PageQuery): Promise<EditorialItemView[]> {
    return this.lists.page(
      {
        filter: { published: true },
        sort: LAST_CHANGED_FIRST,
        index: EDITORIAL_INDEXES.allPublished,
        versionOf: editorVersion,
      },
      page,
    );
  }

  /** How many blogs each of the editors' lists has. */
  async counts(editor: Types.ObjectId): Promise<EditorCountsView> {
    const [submitted, assignedToMe, unassigned, scheduled, published] = await Promise.all([
      this.lists.count({ submitted: true }),
      this.lists.count({ submitted: true, assignedTo: editor }),
      this.lists.count({ submitted: true, assignedTo: null }),
      this.lists.count(HAS_SCHEDULE),
      this.lists.count({ published: true }),
    ]);
    return { submitted, assignedToMe, unassigned, scheduled, published };
  }

  private async revisioned(
    blog: TransitionedBlog,
    warnings: readonly FieldWarning[] = [],
  ): Promise<Revisioned<EditorialBlogView>> {
    const names = await this.users.namesOf(peopleOf(blog));
    const texts = this.pictures.unpublishedTexts(await this.html.servedTexts(blog));
    const version = editorVersion(blog);
    const shownTexts = version === blog ? texts : { ...texts, draftText: texts.text };
    const linksOf = this.pictures.signedLinks();
    const view = toEditorialBlogView(blog, version, shownTexts, names, linksOf);
    const all = [...warnings, ...(blog.warnings ?? [])];
    return new Revisioned(view, blog.rev, all);
  }
}

function assignedFilter(
  assigned: SubmittedQuery['assigned'],
  me: Types.ObjectId,
): { readonly assignedTo?: Types.ObjectId | null } {
  if (assigned === undefined) return {};
  if (assigned === 'none') return { assignedTo: null };
  return { assignedTo: assigned === 'me' ? me : assigned };
}
