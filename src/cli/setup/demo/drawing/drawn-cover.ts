import { createHash } from 'node:crypto';
import { pngOf, type Colour } from './png.ts';

/** Size of a cover in pixels. */
const [WIDTH, HEIGHT] = [1_600, 900];

const PALETTES: readonly (readonly [ground: Colour, ...shapes: Colour[]])[] = [
  [
    [244, 236, 220],
    [214, 73, 51],
    [25, 83, 95],
    [240, 180, 60],
  ],
  [
    [225, 234, 236],
    [20, 60, 90],
    [240, 113, 103],
    [122, 184, 178],
  ],
  [
    [250, 240, 230],
    [60, 60, 110],
    [235, 140, 70],
    [160, 190, 140],
  ],
  [
    [236, 232, 245],
    [90, 60, 140],
    [70, 150, 160],
    [245, 190, 90],
  ],
];

/** A disc with its place and its size as shares of the height of the picture. */
interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: Colour;
}

/** Draws a cover of discs and a band, always the same one for the same name. @returns a PNG */
export function drawnCover(name: string): Buffer {
  const bytes = createHash('sha256').update(name).digest();
  const share = (at: number): number => (bytes[at] ?? 0) / 255;
  const [ground, ...shapes] = PALETTES[(bytes[0] ?? 0) % PALETTES.length]!;
  const discs = shapes.map((colour, at): Disc => ({
    x: (0.1 + 0.8 * share(4 * at + 1)) * (WIDTH / HEIGHT),
    y: 0.15 + 0.7 * share(4 * at + 2),
    radius: 0.15 + 0.3 * share(4 * at + 3),
    colour,
  }));
  const [band = ground] = shapes;
  const top = 0.6 + 0.25 * share(20);
  return pngOf(WIDTH, HEIGHT, (pixelX, pixelY) => {
    const [x, y] = [pixelX / HEIGHT, pixelY / HEIGHT];
    const disc = discs.findLast((each) => Math.hypot(x - each.x, y - each.y) < each.radius);
    const isInBand = y > top && y < top + 0.04;
    return disc?.colour ?? (isInBand ? band : ground);
  });
}
