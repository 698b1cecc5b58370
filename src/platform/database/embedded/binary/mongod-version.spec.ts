import { describe, expect, it } from '@jest/globals';
import { parseMongodVersion, seriesOf, versionProblem } from './mongod-version.js';

describe('parseMongodVersion', () => {
  it.each([
    ['db version v6.0.5\nBuild Info: {\n    "version": "6.0.5",', '6.0.5'],
    ['db version v8.0.0-rc3\n', '8.0.0'],
    ['mongod: command not found', null],
    ['', null],
  ])('should read %j as %j', (output, version) => {
    expect(parseMongodVersion(output)).toBe(version);
  });
});

describe('seriesOf', () => {
  it('should be the first two numbers', () => expect(seriesOf('6.0.15')).toBe('6.0'));
});

describe('versionProblem', () => {
  it.each([
    ['6.0.0', undefined, null],
    ['10.0.0', undefined, null],
    ['5.0.31', undefined, 'it is 5.0.31, older than 6.0'],
    ['6.0.5', '6.0', null],
    ['8.0.4', '6.0', 'it is 8.0.4, the data needs 6.0'],
    ['6.0.5', '8.0', 'it is 6.0.5, the data needs 8.0'],
  ])('of %s for data of %s should be %j', (version, series, problem) => {
    expect(versionProblem(version, series)).toBe(problem);
  });
});
