import { isPictureName } from '../records/file-name.js';
import { PICTURE_FORMATS } from '../processing/picture-formats.js';
import { coverProblems } from './cover.decorator.js';
import { COVER_FACTS, type Cover } from './cover.js';

const IS_FACT: Readonly<Record<(typeof COVER_FACTS)[number], (value: unknown) => boolean>> = {
  name: isPictureName,
  format: (value) => PICTURE_FORMATS.some((format) => format === value),
  width: isSize,
  height: isSize,
  thumbhash: (value) => typeof value === 'string' && /^[\w+/]{1,60}={0,2}$/.test(value),
};

/**
 * Checks the cover of a record.
 *
 * @throws Error that says what is wrong
 */
export function importedCover(value: unknown): Cover {
  const [problem] = coverProblems(value, 'cover');
  if (problem) throw new Error(problem.message);
  // The check found an object with `media`, and none of its texts to be wrong.
  const { media, alt = '', focus, ...facts } = value as Cover;
  const wrong = COVER_FACTS.find((name) => !IS_FACT[name](facts[name]));
  if (wrong !== undefined) throw new Error(`cover.${wrong} is not what a picture has`);
  const { name, format, width, height, thumbhash } = facts;
  return {
    media,
    alt,
    ...(focus ? { focus: { x: focus.x, y: focus.y } } : {}),
    name,
    format,
    width,
    height,
    thumbhash,
  };
}

function isSize(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0;
}
