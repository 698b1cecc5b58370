import { isJsonObject } from '../../../platform/http/input/parse-input.js';
import { newText } from '../../../platform/http/validation/new-text.js';
import { strippedRecord } from '../../../platform/text/stripped-record.js';
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
 * Checks and cleans the cover of a record.
 *
 * @param report gets a message for each change that the operator should know of
 * @throws Error that says what is wrong
 */
export function importedCover(value: unknown, report: (change: string) => void): Cover {
  const stripped = isJsonObject(value)
    ? strippedRecord({ ...value }, (change) => report(`cover.${change}`))
    : value;
  const [problem] = coverProblems(stripped, 'cover');
  if (problem) throw new Error(problem.message);
  // The check found an object with `media`, and none of its texts to be wrong.
  const { media, alt = '', focus, ...facts } = stripped as Cover;
  const wrong = COVER_FACTS.find((name) => !IS_FACT[name](facts[name]));
  if (wrong !== undefined) throw new Error(`cover.${wrong} is not what a picture has`);
  const { name, format, width, height, thumbhash } = facts;
  return {
    media: media.toLowerCase(),
    alt: newText(alt).value,
    ...(focus ? { focus: { x: focus.x, y: focus.y } } : {}),
    name,
    format,
    width,
    height,
    thumbhash,
  };
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
