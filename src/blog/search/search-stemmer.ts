import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { loadStem, type Stem } from './stemmers.js';

/** Words that are remembered with their stems: a look-up takes a tenth of the time of stemming. */
const REMEMBERED_MAX = 20_000;

/** The stemmer of SEARCH_LANGUAGE, for queries. */
@Injectable()
export class SearchStemmer {
  private loading: Promise<Stem> | null = null;

  constructor(private readonly env: Env) {}

  /** @returns the stemmer, which is loaded at the first call */
  async load(): Promise<Stem> {
    this.loading ??= loadStem(this.env.SEARCH_LANGUAGE).then(remembering);
    return this.loading;
  }
}

/** A plain map, which is emptied when it is full: to look up a word in an LRU cache takes ten times as long. */
function remembering(stem: Stem): Stem {
  const stems = new Map<string, string>();
  return (word) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const found = stem(word);
    if (stems.size >= REMEMBERED_MAX) stems.clear();
    stems.set(word, found);
    return found;
  };
}
