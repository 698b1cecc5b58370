import { ApiProperty } from '@nestjs/swagger';
import { ID, TIME } from '../platform/http/openapi/properties.js';
import type { Message } from './message.schema.js';

export class MessageView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'feedback' })
  readonly type!: string;

  @ApiProperty({ example: 'The search could also look at tags.' })
  readonly msg!: string;

  @ApiProperty(TIME)
  readonly createdAt!: Date;
}

export const MESSAGE_VIEW_FIELDS = ['type', 'msg', 'createdAt'] as const;

export function toMessageView({ _id, type, msg, createdAt }: Message): MessageView {
  return { _id: _id.toHexString(), type, msg, createdAt: createdAt ?? _id.getTimestamp() };
}
