import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bypassAdmission } from '../support/admission.js';
import { askCells, shortened } from './ask.js';
import { cellsOf, expectedOf, TARGETS, type Cell } from './axes.js';
import { DatabaseImage } from './database-image.js';
import { openStage, type Stage } from './stage.js';
import { API_ROWS, type AccessRow } from './table.js';

/**
 * Every key with every token, as in the matrix, for one record of each route: the one that a rightful
 * caller reaches. What other records answer is not the guards' to say.
 */
function refusedCellsOf(row: AccessRow): Cell[] {
  const target = TARGETS[row.names].find((name) => row.outcomes[name] === 200) ?? 'nothing';
  return cellsOf(row).filter((cell) => cell.target === target && isRefused(cell));
}

function isRefused(cell: Cell): boolean {
  const expected = expectedOf(cell);
  return expected !== null && 'code' in expected && [401, 403].includes(expected.status);
}

const CLOSED = API_ROWS.filter(({ key }) => key);

describe('The guards where nothing was decided before them', () => {
  let stage: Stage;
  let before: DatabaseImage;

  beforeAll(async () => {
    stage = await openStage();
    bypassAdmission(stage.app);
    before = await DatabaseImage.take(stage.db);
  });

  afterAll(async () => {
    await stage.close();
  });

  it.each(CLOSED)('should refuse all whom the table refuses: $method $path', async (row) => {
    const cells = refusedCellsOf(row);
    const { count, deviations } = await askCells(stage, cells, before);
    expect(shortened(deviations)).toEqual([]);
    expect(count).toBeGreaterThan(0);
  });
});
