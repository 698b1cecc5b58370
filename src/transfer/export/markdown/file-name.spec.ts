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
    ['is a path', '../../../etc/passwd', `etc-passwd-${ID}.md`],
    ['begins with a dot', '.htaccess', `htaccess-${ID}.md`],
    ['has only dots', '..', `${ID}.md`],
    ['is empty', '', `${ID}.md`],
    ['is reserved by Windows', 'con', `con-${ID}.md`],
    ['has capitals', 'About', `about-${ID}.md`],
    ['has a letter whose capital is two letters', 'straße', `straße-${ID}.md`],
    ['ends like a name with an id', `a-${'0'.repeat(24)}`, `a-${'0'.repeat(24)}-${ID}.md`],
    ['has too many bytes', '日'.repeat(67), `${'日'.repeat(50)}-${ID}.md`],
  ])('should end with the id if the slug %s', (_, slug, name) => {
    expect(fileNameOf(slug, ID)).toBe(name);
  });

  it('should fit into 255 bytes', () => {
    const longest = fileNameOf('😀'.repeat(200) + '𝒳'.repeat(200), ID);
    expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(255);
  });
});
