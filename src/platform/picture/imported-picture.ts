import { isFocus } from './focus.decorator.js';
import { PICTURE_FORMATS } from './picture-formats.js';
import { isPictureName } from './picture-name.js';
import { shownPicture, type SHOWN_FACTS, type ShownPicture } from './shown-picture.js';

type Fact = 'media' | 'focus' | (typeof SHOWN_FACTS)[number];

const IS_RIGHT: Readonly<Record<Fact, (value: unknown) => boolean>> = {
  media: (value) => typeof value === 'string' && /^[0-9a-f]{24}$/.test(value),
  focus: (value) => (value ?? null) === null || isFocus(value),
  name: isPictureName,
  format: (value) => PICTURE_FORMATS.some((format) => format === value),
  width: isSize,
  height: isSize,
  thumbhash: (value) => typeof value === 'string' && /^[\w+/]{1,60}={0,2}$/.test(value),
};

/**
 * Checks the picture that a record shows.
 *
 * @param field the name of the field
 * @throws Error that says what is wrong
 */
export function importedPicture(value: unknown, field: string): ShownPicture {
  const record = (value ?? {}) as ShownPicture;
  const given = { ...record, media: String(record.media).toLowerCase() };
  const wrong = Object.entries(IS_RIGHT).find(([name, isRight]) => !isRight(given[name as Fact]));
  if (wrong) throw new Error(`${field}.${wrong[0]} is not what a picture has`);
  return shownPicture(given.media, given, given.focus);
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
