/** The metrics of a server: values by series, as Prometheus writes a series, such as `x_total{status="404"}`. */
export class Scrape {
  private constructor(
    readonly text: string,
    readonly series: ReadonlyMap<string, number>,
  ) {}

  static async of(url: string | null): Promise<Scrape> {
    const response = await fetch(String(url));
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const lastSpace = (line: string): number => line.lastIndexOf(' ');
    return new Scrape(
      text,
      new Map(
        lines.map((line) => [line.slice(0, lastSpace(line)), Number(line.slice(lastSpace(line)))]),
      ),
    );
  }

  /** @returns 0 for a missing series */
  valueOf(series: string): number {
    return this.series.get(series) ?? 0;
  }

  /** `name | type` of each metric that Pressroom defines itself. */
  get metrics(): string[] {
    return [...this.text.matchAll(/^# TYPE (pressroom_\w+) (\w+)$/gm)].map(
      ([, name, type]) => `${name} | ${type}`,
    );
  }
}
