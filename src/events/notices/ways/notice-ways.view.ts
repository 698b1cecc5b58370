import { ApiProperty } from '@nestjs/swagger';
import {
  NOTICE_KIND_NAMES,
  NOTICE_KINDS,
  NOTICE_WAYS,
  type NoticeKind,
  type NoticeWay,
  type NoticeWays,
} from '../notice-kinds.js';

type Ways = readonly NoticeWay[];

const WaysOf = (kind: NoticeKind): PropertyDecorator => {
  const { meaning, ways } = NOTICE_KINDS[kind];
  return ApiProperty({ isArray: true, enum: NOTICE_WAYS, example: ways, description: meaning });
};

/** By which ways a user hears of each kind of notice. */
export class NoticeWaysView implements Record<NoticeKind, Ways> {
  @WaysOf('submitted')
  readonly submitted!: Ways;

  @WaysOf('returned')
  readonly returned!: Ways;

  @WaysOf('commented')
  readonly commented!: Ways;

  @WaysOf('mentioned')
  readonly mentioned!: Ways;

  @WaysOf('published')
  readonly published!: Ways;

  @WaysOf('scheduleFailed')
  readonly scheduleFailed!: Ways;

  @WaysOf('handedOver')
  readonly handedOver!: Ways;

  @WaysOf('invited')
  readonly invited!: Ways;
}

export function toNoticeWaysView(chosen: NoticeWays): NoticeWaysView {
  const waysOf = (kind: NoticeKind) => [kind, chosen[kind] ?? NOTICE_KINDS[kind].ways] as const;
  return Object.fromEntries(NOTICE_KIND_NAMES.map(waysOf)) as Record<NoticeKind, Ways>;
}
