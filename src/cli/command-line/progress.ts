import cliProgress from 'cli-progress';
import { printErrorLines } from './output.js';

/** Milliseconds between two lines if stderr is no terminal. */
const LINE_EVERY_MS = 10_000;
const FORMAT =
  '{label} {bar} {percentage} % | {value} of {total} | {rate}/s | {eta_formatted} left';
const FORMAT_WITHOUT_TOTAL = '{label} | {value} | {rate}/s';

/** Shows on stderr how far a long command is: a bar on a terminal, plain lines elsewhere. */
export class Progress {
  private readonly startedAt = performance.now();
  private readonly bar: cliProgress.SingleBar | null;
  private count = 0;
  private linePrintedAt = this.startedAt;

  /**
   * @param label name of what is counted, such as `articles`
   * @param total null when it is not known
   */
  constructor(
    private readonly label: string,
    private readonly total: number | null,
  ) {
    this.bar = process.stderr.isTTY
      ? new cliProgress.SingleBar({
          format: total === null ? FORMAT_WITHOUT_TOTAL : FORMAT,
          stream: process.stderr,
          hideCursor: true,
        })
      : null;
    this.bar?.start(total ?? 0, 0, { label, rate: 0 });
  }

  advance(by = 1): void {
    this.count += by;
    this.bar?.update(this.count, { rate: this.rate() });
    const now = performance.now();
    if (this.bar || now - this.linePrintedAt < LINE_EVERY_MS) return;
    this.linePrintedAt = now;
    const remainder = this.total === null ? '' : ` of ${this.total}, ${this.secondsLeft()} s left`;
    printErrorLines([`${this.label}: ${this.count}${remainder}, ${this.rate()}/s`]);
  }

  end(): void {
    this.bar?.stop();
  }

  /** Number of counted items per second, since the start. */
  private rate(): number {
    return Math.round((this.count / Math.max(1, performance.now() - this.startedAt)) * 1_000);
  }

  private secondsLeft(): number {
    return Math.ceil(((this.total ?? 0) - this.count) / Math.max(1, this.rate()));
  }
}
