/** The name that an article shows if its author has deleted the account. */
export const FORMER_AUTHOR = 'Former author';

/** The name that a transition or a comment shows if its user has deleted the account. */
export const FORMER_USER = 'Former user';

/**
 * Letters and other characters that look like a letter of these names, by that letter (Unicode
 * Technical Standard 39, in lower case and without marks). A letter with a mark, or of another width,
 * need not be listed.
 */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: 'ɑαаᗅ⍶⍺ꓮꭺ𐊠𖽀',
  e: 'ɇεеҽҿ℮⋿ⴹꓰꬲꭼ𐊆𑣆𑣎',
  f: 'sƒϝքᖴᵮẝꓝꞙꬵ𐊇𐊥𐔥𑣂𝈓',
  h: 'ħɦηнћңһӈӊհᏺᕼⱨⲏꓧꚕꮋꮒ𐋏',
  m: 'ɱμϻмӎᗰᛖᵯ₥ⲙꓟꭑꮇ𐊰𐌑𑜀𑣣',
  o: '0øɵθοσоѳөօ۵०০੦૦ଠ୦௦౦೦ഠ൦๐໐တဝ၀ჿዐᴏᴑ⊖⊝⍬ⲟⴱⵁⵔ〇ꓳꝋꬽꬾꭴꮎꮻ𐊒𐊫𐐬𐓪𐔖𑓐𑣈𑣕𑣗𑣠𝈚',
  r: 'ɍɼɽʀгғᖇᣴᴦᵲⲅꓣꭇꭈꭱꮁꮢ𐓜𖼵𝈖',
  s: 'ƽʂѕտᣵᵴꓢꜱꮥꮪ𐊖𐑈𑣁𖼺',
  t: 'ŧƫƭʈτтҭᵵ₮⊤⍡⟙ⱦⲧꓔꭲ𐊗𐊱𐌕𑣜𖼊',
  u: 'ʉʋυսሀᑌᴜᵾ∪⋃ꓴꞟꭎꭒꮜ𐓶𑣘𖽂',
  n: 'ƞɲɳνոռᵰⲛꓠ𐆎𐔓',
};

const LETTERS = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([letter, others]) =>
    Array.from(others, (other) => [other, letter] as const),
  ),
);

const MARKS_AND_INVISIBLE = /[\p{M}\p{Default_Ignorable_Code_Point}]+/gu;
const NOT_IN_WORDS = /[^\p{L}\p{N}]+/gu;

const FORMER_SHAPES = new Set([FORMER_AUTHOR, FORMER_USER].map(shapeOf));

/** Whether the name reads as a name of a deleted account. */
export function looksFormer(name: string): boolean {
  return FORMER_SHAPES.has(shapeOf(name));
}

/** What a reader makes out of a name: names that look alike have the same shape. */
function shapeOf(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().normalize('NFKD');
  const letters = Array.from(plain.replace(MARKS_AND_INVISIBLE, ''), (letter) => {
    const like = LETTERS.get(letter) ?? letter;
    // `ſ` looks like `f` and stands for `s`, so both count as one letter.
    return LETTERS.get(like) ?? like;
  });
  return letters.join('').replace(NOT_IN_WORDS, '').replaceAll('rn', 'm');
}
