const LENGTH_MAX = 60;
const FALLBACK = 'picture';

/**
 * The name of a picture in its addresses, without an extension: what is left of the name that a client gave, in
 * `a-z`, digits and dashes. It is no number alone, because addresses of other sizes are.
 */
export function pictureName(given: string): string {
  const [last = ''] = given.split(/[\\/]/).slice(-1);
  const name = last
    .replace(/\.\w{1,5}$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mn}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
  if (name === '') return FALLBACK;
  return /^\d+$/.test(name) ? `${FALLBACK}-${name}` : name;
}

/** Whether the value is the name of a picture as `pictureName` makes it. */
export function isPictureName(value: unknown): boolean {
  return typeof value === 'string' && pictureName(value) === value;
}
