/** This file imports no other source file, because a worker thread runs it. */

/** Whether a particle may follow a noun with this last consonant; 0 stands for none. */
type Follows = (lastConsonant: number) => boolean;

/** The last consonant `ㄹ`, after which `로` stands as after a vowel. */
const RIEUL = 8;

const AFTER_CONSONANT =
  '이 은 을 과 아 으로 으로서 으로써 으로부터 이나 이랑 이란 이며 이면 이고 이여 이라는 이라고 이라도 이라면 이지만 이든지';
const AFTER_VOWEL = '가 는 를 와 야 여 나 랑 란 며 라는 라고 라도 라면 지만 든지';
const AFTER_VOWEL_OR_RIEUL = '로 로서 로써 로부터';
const AFTER_ANY =
  '의 에 도 만 들 께 에서 에서부터 에게 에게서 께서 한테 한테서 더러 부터 까지 마저 조차 처럼 같이 보다 만큼 밖에 마다 ' +
  '대로 하고 이다 이었다 입니다';

/**
 * Korean particles, and forms of `to be`: they are written at the end of a noun without a blank.
 */
const PARTICLES: ReadonlyMap<string, Follows> = new Map([
  ...particles(AFTER_CONSONANT, (last) => last !== 0),
  ...particles(AFTER_VOWEL, (last) => last === 0),
  ...particles(AFTER_VOWEL_OR_RIEUL, (last) => last === 0 || last === RIEUL),
  ...particles(AFTER_ANY, () => true),
]);

const PARTICLE_LENGTH_MAX = 4;

/** Largest number of particles of one word that are removed in turn, as in `사람들에게는`. */
const PARTICLES_MAX = 4;

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
/** Number of syllables that differ only in their last consonant; the first of them has none. */
const LAST_CONSONANTS = 28;

/**
 * @param word a folded word
 * @returns the word without its last particle, without its last two, and so on; nothing for a word
 *   that does not end with a particle. A noun may end like a particle too; then what is left is
 *   another word.
 */
export function withoutParticles(word: string): readonly string[] {
  const shorter: string[] = [];
  for (let rest = withoutOne(word); rest !== null; rest = withoutOne(rest)) {
    if (shorter.push(rest) >= PARTICLES_MAX) break;
  }
  return shorter;
}

/** @returns the word without its longest particle; null if it has none, or is one */
function withoutOne(word: string): string | null {
  if (lastConsonantOf(word) === null) return null;
  for (let length = Math.min(PARTICLE_LENGTH_MAX, word.length - 1); length > 0; length -= 1) {
    const noun = word.slice(0, -length);
    const last = lastConsonantOf(noun);
    // How a Latin letter or a digit is read aloud is not known, so any particle may follow it.
    const follows = PARTICLES.get(word.slice(-length));
    if (follows && (last === null || follows(last))) return noun;
  }
  return null;
}

/** @returns the number of the last consonant of a word, 0 for none; null if it ends with no Hangul */
function lastConsonantOf(word: string): number | null {
  const last = word.charCodeAt(word.length - 1);
  if (!(last >= FIRST_SYLLABLE && last <= LAST_SYLLABLE)) return null;
  return (last - FIRST_SYLLABLE) % LAST_CONSONANTS;
}

function particles(list: string, follows: Follows): [string, Follows][] {
  return list.split(' ').map((particle) => [particle, follows]);
}
