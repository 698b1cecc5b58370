/** How the values of several processes become one: prom-client's names. */
type Aggregator = 'sum' | 'max' | 'first';

export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string | number>>;
  /** Name of the sample where it differs from the name of the metric, as in a histogram. */
  readonly metricName?: string;
}

/** A metric whose values are read when somebody asks for them, so that counting costs an addition. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  /** How the values of several processes become one; `sum` when left out. */
  readonly aggregator?: Aggregator;
  readonly read: () => Iterable<Sample>;
}

/** A metric with its values, as prom-client writes and adds them up. It can be sent as JSON. */
export interface MetricValues extends Omit<Metric, 'read' | 'aggregator'> {
  readonly aggregator: string;
  readonly values: readonly Sample[];
}

export function valuesOf({ read, aggregator = 'sum', ...metric }: Metric): MetricValues {
  // The library adds up by the labels, which have to be there.
  const values = Array.from(read(), (sample) => ({ labels: {}, ...sample }));
  return { ...metric, aggregator, values };
}

/** A sample for each entry, with its key as a label. */
export function samplesBy(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([key, value]) => ({ value, labels: { [label]: key } }));
}
