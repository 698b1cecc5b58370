import { ApiProperty } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { ID } from '../../platform/http/openapi/properties.js';
import { FORMER_AUTHOR, FORMER_USER } from '../names/former-names.js';

/** What others see of a user, such as the author of a blog: no email address. */
export class AuthorView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  readonly name!: string;
}

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
