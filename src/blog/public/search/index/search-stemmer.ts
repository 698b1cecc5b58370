import { Injectable } from '@nestjs/common';
import { Env } from '../../../../platform/config/env.js';
import { keepsFirstLetter, loadStem, type Stem } from './stemmers.js';

/** The stemmer of SEARCH_LANGUAGE, for queries. */
@Injectable()
export class SearchStemmer {
  constructor(private readonly env: Env) {}

  /** @returns the stemmer, which is loaded at the first call */
  async load(): Promise<Stem> {
    return loadStem(this.env.SEARCH_LANGUAGE);
  }

  get keepsFirstLetter(): boolean {
    return keepsFirstLetter(this.env.SEARCH_LANGUAGE);
  }
}
