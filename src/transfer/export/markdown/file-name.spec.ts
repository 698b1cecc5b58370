import { describe, expect, it } from '@jest/globals';
import { fileNameOf } from './file-name.js';

const ID = '5ea000000000000000000001';

describe('the file name of an article', () => {
  it.each(['a', 'notes-on-the-engine', '日本', 'v1.2_b~c', 'x'.repeat(200)])(
    'should be its slug: %s',
    (slug) => {
      expect(fileNameOf(slug, ID)).toBe(`${slug}.md`);
    },
  );

  it.each([
    ['a path', '../../../etc/passwd', `etcpasswd-${ID}.md`],
    ['a hidden file', '.htaccess', `htaccess-${ID}.md`],
    ['dots', '..', `${ID}.md`],
    ['nothing', '', `${ID}.md`],
    ['a name of Windows', 'con', `con-${ID}.md`],
    ['capitals', 'About', `about-${ID}.md`],
    ['a letter without a pair', 'straße', `straße-${ID}.md`],
    ['the id of another', `a-${'0'.repeat(24)}`, `a-${'0'.repeat(24)}-${ID}.md`],
    ['too many bytes', '日'.repeat(67), `${'日'.repeat(50)}-${ID}.md`],
  ])('should hold the id instead of %s', (_, slug, name) => {
    expect(fileNameOf(slug, ID)).toBe(name);
  });

  it('should fit into 255 bytes', () => {
    const longest = fileNameOf('😀'.repeat(200) + '𝒳'.repeat(200), ID);
    expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(255);
  });
});
