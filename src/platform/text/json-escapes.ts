/** @returns a JSON escape such as `\u001b` for each UTF-16 code unit of the characters */
export function jsonEscapes(characters: string): string {
  return characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
