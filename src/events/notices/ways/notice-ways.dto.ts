import { Choices } from '../../../platform/http/validation/choices.decorator.js';
import { NOTICE_KINDS, NOTICE_WAYS, type NoticeKind, type NoticeWay } from '../notice-kinds.js';

type Ways = readonly NoticeWay[];

const Chosen = (kind: NoticeKind): PropertyDecorator =>
  Choices(NOTICE_WAYS, {
    noun: 'ways',
    example: NOTICE_KINDS[kind].ways,
    description: `Of ${NOTICE_KINDS[kind].meaning}`,
    min: 0,
    unique: true,
    optional: true,
  });

/** By which ways the caller wants to hear of the kinds of notices. A kind that is left out keeps its ways. */
export class NoticeWaysDto implements Partial<Record<NoticeKind, Ways>> {
  @Chosen('submitted')
  readonly submitted?: Ways;

  @Chosen('returned')
  readonly returned?: Ways;

  @Chosen('commented')
  readonly commented?: Ways;

  @Chosen('mentioned')
  readonly mentioned?: Ways;

  @Chosen('published')
  readonly published?: Ways;

  @Chosen('scheduleFailed')
  readonly scheduleFailed?: Ways;

  @Chosen('handedOver')
  readonly handedOver?: Ways;

  @Chosen('invited')
  readonly invited?: Ways;
}
