import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { parseInput } from './parse-input.js';

/**
 * Parses path, query and body. Nest parses all parameters of a handler concurrently and reports the first
 * error. The body is parsed a microtask later, so that errors of path and query (400) are reported before
 * those of the body (422), whatever the order of the parameters.
 */
@Injectable()
export class InputPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    if (metadata.type !== 'body') return parseInput(value, metadata);
    return Promise.resolve().then(() => parseInput(value, metadata));
  }
}
