import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
export function writePlots(folder, rows) {
  mkdirSync(folder, { recursive: true });
  const compared = rows.filter(isOfRates);
  if (compared.length > 0) writeFileSync(join(folder, 'rates.svg'), ratesPlot(compared));
  const deep = rows.filter(({ depth, ours }) => depth > 0 && ours?.p50 > 0);
  if (deep.length > 0) writeFileSync(join(folder, 'depth.svg'), depthPlot(deep));
}

/** Some compare other things than rates, such as what a request costs. */
function isOfRates({ ours, baseline, ratio }) {
  return ratio > 0 && ratio === ours?.rate / baseline?.rate;
}

/** Every case in proportion to its own baseline: the rates of different cases lie far apart. */
function ratesPlot(rows) {
  const most = Math.max(1, ...rows.map(({ ours, baseline }) => ours.rate / baseline.rate));
  const scale = (WIDTH - LEFT - RIGHT) / most;
  const group = 2 * BAR + GAP;
  const parts = rows.flatMap(({ case: name, ours, baseline, limit }, index) => {
    const y = TOP + index * group;
    const least = limit.kind === 'ratio-min' ? LEFT + limit.value * scale : null;
    return [
      text(LEFT - 8, y + BAR + 4, name, 'end'),
      ...barOf('ours', y, ours.rate, (ours.rate / baseline.rate) * scale),
      ...barOf('baseline', y + BAR, baseline.rate, scale),
      ...(least === null ? [] : [line('bar', [least, y - 2], [least, y + 2 * BAR + 2])]),
    ];
  });
  const title = 'Requests per second: Pressroom (blue), baseline (grey), least (red)';
  return svg(TOP + rows.length * group, title, parts);
}

function barOf(kind, y, rate, length) {
  const label = `${Math.round(rate).toLocaleString('en')}/s`;
  return [
    `<rect class="${kind}" x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="${BAR - 1}"/>`,
    text(LEFT + length + 6, y + BAR - 3, label),
  ];
}

/** Both axes in powers of ten, and the depth in articles. */
function depthPlot(rows) {
  const depths = rows.map(({ depth }) => Math.log10(depth));
  const times = rows.map(({ ours }) => Math.log10(ours.p50));
  const deepest = Math.max(1, Math.ceil(Math.max(...depths)));
  const [low, high] = [Math.floor(Math.min(...times)), Math.ceil(Math.max(...times) + 0.01)];
  const bottom = DEPTH_HEIGHT - 40;
  const x = (depth) => 70 + (Math.log10(depth) / deepest) * (WIDTH - 70 - RIGHT);
  const y = (ms) => bottom - ((Math.log10(ms) - low) / (high - low)) * (bottom - TOP);
  const parts = [
    line('axis', [70, bottom], [WIDTH - RIGHT, bottom]),
    line('axis', [70, TOP], [70, bottom]),
    ...powers(0, deepest).map((place) =>
      text(x(place), bottom + 18, place.toLocaleString('en'), 'middle'),
    ),
    ...powers(low, high).map((ms) => text(62, y(ms) + 4, `${ms} ms`, 'end')),
    ...[...new Set(rows.map(seriesOf))].flatMap((series, index) => {
      const kind = index === 0 ? 'ours' : 'baseline';
      const points = rows
        .filter((row) => seriesOf(row) === series)
        .toSorted((a, b) => a.depth - b.depth)
        .map(({ depth, ours }) => [x(depth), y(ours.p50)]);
      const [lastX, lastY] = points.at(-1);
      const joined = points.map((point) => point.map((at) => at.toFixed(1)).join(',')).join(' ');
      return [
        `<polyline class="line ${kind}" style="fill: none" points="${joined}"/>`,
        ...points.map(
          ([cx, cy]) =>
            `<circle class="${kind}" cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="3"/>`,
        ),
        text(lastX + 8, lastY + 4, series),
      ];
    }),
  ];
  return svg(DEPTH_HEIGHT, 'Median latency over the depth of a list, in articles', parts);
}

function seriesOf({ case: name }) {
  return name.split(',')[0];
}

function powers(from, to) {
  return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
}

function line(kind, [x1, y1], [x2, y2]) {
  const at = (value) => value.toFixed(1);
  return `<line class="${kind}" x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"/>`;
}

function text(x, y, content, anchor = 'start', kind = '') {
  const escaped = String(content).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const at = `x="${x.toFixed(1)}" y="${y.toFixed(1)}"`;
  return `<text ${at} text-anchor="${anchor}"${kind && ` class="${kind}"`}>${escaped}</text>`;
}

function svg(height, title, parts) {
  const lines = [text(16, 24, title, 'start', 'title'), ...parts].map((part) => `  ${part}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `  <style>${STYLE}</style>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}
