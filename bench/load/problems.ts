/** Failures in a load: their number, and the first of them. */
export interface Problems {
  count: number;
  sample: string;
}

export function addProblem(problems: Problems, text: string): void {
  problems.count += 1;
  problems.sample ||= text;
}
