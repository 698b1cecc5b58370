import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askCells, shortened } from './ask.js';
import { cellCountOf, cellsOf, KEY_NAMES, TARGETS, TOKEN_NAMES } from './axes.js';
import { DatabaseImage } from './database-image.js';
import { openStage, type Stage } from './stage.js';
import { API_ROWS, DOCS_ROWS, PREFLIGHT_ROWS } from './table.js';

const ROWS = [...API_ROWS, ...DOCS_ROWS, ...PREFLIGHT_ROWS];
const CELLS = ROWS.reduce((sum, row) => sum + cellCountOf(row), 0);

describe(`Every route by ${KEY_NAMES.length} keys, ${TOKEN_NAMES.length} tokens and every record`, () => {
  let stage: Stage;
  let before: DatabaseImage;
  let asked = 0;

  beforeAll(async () => {
    stage = await openStage();
    before = await DatabaseImage.take(stage.db);
  });

  afterAll(async () => {
    await stage.close();
  });

  describe.each(ROWS)('$method $path', (row) => {
    it('should have an outcome for each record that it can name, and no other', () => {
      expect(Object.keys(row.outcomes).sort()).toEqual([...TARGETS[row.names]].sort());
    });

    it('should answer as the table says, and write only what the caller may', async () => {
      const { count, deviations } = await askCells(stage, cellsOf(row), before);
      asked += count;
      expect(shortened(deviations)).toEqual([]);
    });
  });

  it(`should have been asked all ${CELLS} cells`, () => {
    expect(asked).toBe(CELLS);
  });
});
