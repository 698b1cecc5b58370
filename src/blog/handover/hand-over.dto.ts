import type { Types } from 'mongoose';
import { ObjectIdText } from '../../platform/http/object-id/object-id.param.js';

export class HandOverDto {
  @ObjectIdText({ description: 'The new author: an enabled account with the role AUTHOR' })
  readonly user!: Types.ObjectId;
}
