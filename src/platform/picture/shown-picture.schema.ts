/** The paths of a ShownPicture in a schema. */
export const SHOWN_PICTURE_PATHS = {
  media: { type: String, required: true },
  focus: { type: { x: Number, y: Number, _id: false }, default: undefined },
  name: { type: String, required: true },
  format: { type: String, required: true },
  width: { type: Number, required: true },
  height: { type: Number, required: true },
  thumbhash: { type: String, required: true },
} as const;
