import { ApiProperty } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { ID } from '../../common/openapi/properties.js';

/** The author of a blog, as readers see it: without the email address. */
export class AuthorView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  readonly name!: string;
}

/** The author's name on articles whose author has deleted the account. */
const FORMER_AUTHOR = 'Former author';

export function toAuthorView(id: Types.ObjectId, names: ReadonlyMap<string, string>): AuthorView {
  const _id = id.toHexString();
  return { _id, name: names.get(_id) ?? FORMER_AUTHOR };
}
