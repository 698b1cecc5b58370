import { describe, expect, it } from '@jest/globals';
import { loadStem } from './stemmers.js';

describe('loadStem', () => {
  it('should return a stem for every word: bg', async () => {
    const stemOf = await loadStem('bg');
    expect(['вестници', 'книгата'].map(stemOf)).toEqual(['вестници', 'книг']);
  });
});
