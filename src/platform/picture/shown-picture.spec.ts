import { describe, expect, it } from '@jest/globals';
import { fileNameOf } from './shown-picture.js';

describe('the file name of a picture', () => {
  it.each([
    ['its name and format', 'engine-1', 'engine-1.jpg'],
    ['in no other folder, whatever is stored', '../../a"\r\n', 'a.jpg'],
  ])('should be %s', (_, name, wanted) => {
    expect(fileNameOf({ name, format: 'jpeg' })).toBe(wanted);
  });
});
