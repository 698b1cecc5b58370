import { ApiProperty } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { ID } from '../../common/openapi/properties.js';

/** Whoever wrote a blog, as every reader may see them: no address. */
export class AuthorView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  readonly name!: string;
}

/** The name under which articles stay whose author's record is gone. */
export const FORMER_AUTHOR = 'Former author';

export function toAuthorView(id: Types.ObjectId, names: ReadonlyMap<string, string>): AuthorView {
  const _id = id.toHexString();
  return { _id, name: names.get(_id) ?? FORMER_AUTHOR };
}
