import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from './report.ts';

const WIDTH = 760;
const LEFT = 250;
const RIGHT = 130;
const BAR = 14;
const GAP = 16;
const TOP = 44;
const DEPTH_HEIGHT = 320;

/** Two colours that hold on a light and on a dark ground; the text follows the reader's. */
const STYLE = `
    text { font: 12px system-ui, sans-serif; fill: #24292f }
    .title { font-size: 14px; font-weight: 600 }
    .ours { fill: #2f81f7; stroke: #2f81f7 } .baseline { fill: #8b949e; stroke: #8b949e }
    rect { stroke: none } .line { fill: none; stroke-width: 2 }
    .axis { stroke: #8b949e } .bar { stroke: #d1242f; stroke-width: 2 }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }
  `;

/**
 * Writes `rates.svg` (rate by case, ours beside the baseline) and, when there are rows with a
 * `depth`, `depth.svg` (median latency over the depth of a list). Rows whose names are the same up
 * to the comma are one line.
 */
export function writePlots(folder: string, rows: readonly Row[]): void {
  mkdirSync(folder, { recursive: true });
  const pairs = rows.flatMap(pairOf);
  if (pairs.length > 0) writeFileSync(join(folder, 'rates.svg'), ratesPlot(pairs));
  const points = rows.flatMap(({ case: name, depth, ours }) =>
    depth && ours?.p50 ? { series: seriesOf(name), depth, p50: ours.p50 } : [],
  );
  if (points.length > 0) writeFileSync(join(folder, 'depth.svg'), depthPlot(points));
}

interface Pair {
  readonly name: string;
  readonly ours: number;
  readonly baseline: number;
  /** What the ratio must be at least; null without a bar. */
  readonly least: number | null;
}

/** Of those that compare rates; some compare other things, such as what a request costs. */
function pairOf({ case: name, ours, baseline, ratio, limit }: Row): Pair[] {
  if (!ratio || !ours?.rate || !baseline?.rate || ratio !== ours.rate / baseline.rate) return [];
  const least = limit?.kind === 'ratio-min' ? limit.value : null;
  return [{ name, ours: ours.rate, baseline: baseline.rate, least }];
}

interface DepthPoint {
  readonly series: string;
  /** In articles. */
  readonly depth: number;
  readonly p50: number;
}

type Point = readonly [x: number, y: number];

/** Every case in proportion to its own baseline: the rates of different cases lie far apart. */
function ratesPlot(pairs: readonly Pair[]): string {
  const most = Math.max(1, ...pairs.map(({ ours, baseline }) => ours / baseline));
  const scale = (WIDTH - LEFT - RIGHT) / most;
  const group = 2 * BAR + GAP;
  const parts = pairs.flatMap(({ name, ours, baseline, least }, index) => {
    const y = TOP + index * group;
    const x = LEFT + (least ?? 0) * scale;
    return [
      text(LEFT - 8, y + BAR + 4, name, 'end'),
      ...barOf('ours', y, ours, (ours / baseline) * scale),
      ...barOf('baseline', y + BAR, baseline, scale),
      ...(least === null ? [] : [line('bar', [x, y - 2], [x, y + 2 * BAR + 2])]),
    ];
  });
  const title = 'Requests per second: Pressroom (blue), baseline (grey), least (red)';
  return svg(TOP + pairs.length * group, title, parts);
}

function barOf(kind: string, y: number, rate: number, length: number): string[] {
  const label = `${Math.round(rate).toLocaleString('en')}/s`;
  return [
    `<rect class="${kind}" x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="${BAR - 1}"/>`,
    text(LEFT + length + 6, y + BAR - 3, label),
  ];
}

/** Both axes in powers of ten, and the depth in articles. */
function depthPlot(points: readonly DepthPoint[]): string {
  const depths = points.map(({ depth }) => Math.log10(depth));
  const times = points.map(({ p50 }) => Math.log10(p50));
  const deepest = Math.max(1, Math.ceil(Math.max(...depths)));
  const low = Math.floor(Math.min(...times));
  const high = Math.ceil(Math.max(...times) + 0.01);
  const bottom = DEPTH_HEIGHT - 40;
  const x = (depth: number) => 70 + (Math.log10(depth) / deepest) * (WIDTH - 70 - RIGHT);
  const y = (ms: number) => bottom - ((Math.log10(ms) - low) / (high - low)) * (bottom - TOP);
  const parts = [
    line('axis', [70, bottom], [WIDTH - RIGHT, bottom]),
    line('axis', [70, TOP], [70, bottom]),
    ...powers(0, deepest).map((place) =>
      text(x(place), bottom + 18, place.toLocaleString('en'), 'middle'),
    ),
    ...powers(low, high).map((ms) => text(62, y(ms) + 4, `${ms} ms`, 'end')),
    ...[...Map.groupBy(points, ({ series }) => series)].flatMap(([series, all], index) => {
      const kind = index === 0 ? 'ours' : 'baseline';
      const places = all
        .toSorted((a, b) => a.depth - b.depth)
        .map(({ depth, p50 }): Point => [x(depth), y(p50)]);
      const [lastX, lastY] = places.at(-1) ?? [0, 0];
      const joined = places.map((place) => place.map((at) => at.toFixed(1)).join(',')).join(' ');
      return [
        `<polyline class="line ${kind}" style="fill: none" points="${joined}"/>`,
        ...places.map(
          ([cx, cy]) =>
            `<circle class="${kind}" cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="3"/>`,
        ),
        text(lastX + 8, lastY + 4, series),
      ];
    }),
  ];
  return svg(DEPTH_HEIGHT, 'Median latency over the depth of a list, in articles', parts);
}

function seriesOf(name: string): string {
  return name.split(',')[0] ?? name;
}

function powers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
}

function line(kind: string, [x1, y1]: Point, [x2, y2]: Point): string {
  const at = (value: number) => value.toFixed(1);
  return `<line class="${kind}" x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"/>`;
}

function text(x: number, y: number, content: string, anchor = 'start', kind = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const at = `x="${x.toFixed(1)}" y="${y.toFixed(1)}"`;
  return `<text ${at} text-anchor="${anchor}"${kind && ` class="${kind}"`}>${escaped}</text>`;
}

function svg(height: number, title: string, parts: readonly string[]): string {
  const lines = [text(16, 24, title, 'start', 'title'), ...parts].map((part) => `  ${part}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `  <style>${STYLE}</style>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}
