import { Schema as MongooseSchema, SchemaTypes, type Types } from 'mongoose';

/** A change of the name or the picture of a user that is not in the event log yet. */
export interface Renaming {
  /** Id of the change. Every change has a new id, so that two changes are two events. */
  readonly id: Types.ObjectId;
  readonly at: Date;
  /** The pictures of the media library that the profile has shown before, in hex. */
  readonly pictures?: readonly string[];
}

export const RenamingSchema = new MongooseSchema<Renaming>(
  {
    id: { type: SchemaTypes.ObjectId, required: true },
    at: { type: Date, required: true },
    pictures: { type: [String], default: undefined },
  },
  { _id: false, strict: 'throw' },
);

/** Selects users with a change of name or picture that is not in the event log yet. */
export const IS_RENAMED = { 'renamed.at': { $gt: new Date(0) } };

export const RENAMED_INDEX = { 'renamed.at': 1 } as const;
