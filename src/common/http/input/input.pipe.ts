import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { parseInput } from './parse-input.js';

/**
 * Parses every input of a handler. Nest starts all of them at once and answers the first that fails.
 * Path and query are checked before the body, in whatever order the handler names them, and so the
 * body waits one microtask.
 */
@Injectable()
export class InputPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    if (metadata.type !== 'body') return parseInput(value, metadata);
    return Promise.resolve().then(() => parseInput(value, metadata));
  }
}
