/** The failed requests of a load: their number, and the description of the first one. */
export interface Problems {
  count: number;
  sample: string;
}

export function addProblem(problems: Problems, text: string): void {
  problems.count += 1;
  problems.sample ||= text;
}
