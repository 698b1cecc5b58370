import { ApiProperty } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { ID } from '../../platform/http/openapi/properties.js';

/** What others see of a user, such as the author of a blog: no email address. */
export class AuthorView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  readonly name!: string;
}

/** The name that an article shows if its author has deleted the account. */
const FORMER_AUTHOR = 'Former author';

/** The name that a transition or a comment shows if its user has deleted the account. */
const FORMER_USER = 'Former user';

export function toAuthorView(id: Types.ObjectId, names: ReadonlyMap<string, string>): AuthorView {
  return viewOf(id, names, FORMER_AUTHOR);
}

/** The view of a user who need not be the author of the blog. */
export function toPersonView(id: Types.ObjectId, names: ReadonlyMap<string, string>): AuthorView {
  return viewOf(id, names, FORMER_USER);
}

function viewOf(
  id: Types.ObjectId,
  names: ReadonlyMap<string, string>,
  nameOfFormer: string,
): AuthorView {
  const _id = id.toHexString();
  return { _id, name: names.get(_id) ?? nameOfFormer };
}
