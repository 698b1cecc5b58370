import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { describedHeader } from '../../../platform/http/openapi/described-header.js';

const DESCRIBED = describedHeader({
  name: 'Last-Event-ID',
  required: false,
  schema: { type: 'string' },
  example: '41',
  description: 'The `id` of the last event that you got: the stream begins with the next one',
});

/** Injects the number in `Last-Event-ID`, and describes the header in OpenAPI; null if it is missing or no number. */
export const LastEventId = createParamDecorator(
  (_: unknown, context: ExecutionContext): number | null => {
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers['last-event-id'];
    return /^\d{1,15}$/.test(String(header)) ? Number(header) : null;
  },
  [DESCRIBED],
);
