/** How prom-client combines the values of several processes into one. */
type Aggregator = 'sum' | 'max' | 'first';

export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string | number>>;
  /** Name of the sample where it differs from the name of the metric, as in a histogram. */
  readonly metricName?: string;
}

/** A metric whose values are read when somebody asks for them, so that counting costs no more than an addition. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  /** How the values of several processes are combined into one; `sum` when left out. */
  readonly aggregator?: Aggregator;
  readonly read: () => Iterable<Sample>;
}

/** A metric with its values, in the form that prom-client writes and aggregates. It can be sent as JSON. */
export interface MetricValues extends Omit<Metric, 'read' | 'aggregator'> {
  readonly aggregator: string;
  readonly values: readonly Sample[];
}

export function valuesOf({ read, aggregator = 'sum', ...metric }: Metric): MetricValues {
  // prom-client groups samples by `labels`, so each sample needs this field.
  const values = Array.from(read(), (sample) => ({ labels: {}, ...sample }));
  return { ...metric, aggregator, values };
}

/** Returns a sample for each entry, with its key as the value of the label. */
export function samplesBy(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([key, value]) => ({ value, labels: { [label]: key } }));
}
