import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Injectable } from '@nestjs/common';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { SecretBox } from '../../../auth/keys/secret-box.service.js';
import { Clock } from '../../../platform/clock.js';
import type { DeliveryAttempt } from '../schemas/delivery.schema.js';
import type { Webhook } from '../schemas/webhook.schema.js';
import { HostLookup } from './host-lookup.js';

/** Timeout of the whole call in milliseconds, connection and answer included. */
const TIMEOUT_MS = 10_000;

/** Largest number of characters of the answer that an attempt stores. */
const ANSWER_MAX = 1_000;

/** The payload of a call, and the id under which it is sent. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

/** Calls webhooks, as Standard Webhooks describes it (https://www.standardwebhooks.com). */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly box: SecretBox,
    private readonly hosts: HostLookup,
    private readonly clock: Clock,
  ) {}

  /** Calls the webhook; never throws. The receiver has the message if the attempt has no `error`. */
  async send(
    webhook: Pick<Webhook, 'url' | 'secret' | 'former'>,
    message: Message,
    timeoutMs = TIMEOUT_MS,
  ): Promise<DeliveryAttempt> {
    const at = this.clock.now();
    const start = performance.now();
    const timeout = AbortSignal.timeout(timeoutMs);
    const attempt = await this.call(webhook, message, at, timeout).catch((error: unknown) => ({
      error: timeout.aborted
        ? `no answer within ${timeoutMs / 1_000} seconds`
        : error instanceof Error
          ? error.message
          : String(error),
    }));
    return { at, durationMs: Math.round(performance.now() - start), ...attempt };
  }

  private async call(
    { url, secret, former }: Pick<Webhook, 'url' | 'secret' | 'former'>,
    { id, body }: Message,
    at: Date,
    timeout: AbortSignal,
  ): Promise<Pick<DeliveryAttempt, 'status' | 'answer' | 'error'>> {
    const secrets = [secret, ...(former && former.until > at ? [former.secret] : [])];
    const opened = secrets.map((each) => this.box.open(each)).filter((each) => each !== null);
    if (opened.length === 0) {
      return { error: 'its secret was sealed by a signing key that is gone: rotate the secret' };
    }
    const target = new URL(url);
    this.hosts.check(target);
    const response = await this.post(target, body, timeout, {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': opened
        .map((each) => new StandardWebhook(each).sign(id, at, body))
        .join(' '),
    });
    const status = response.statusCode ?? 0;
    const answer = await beginningOf(response);
    if (status >= 200 && status < 300) return { status, answer };
    const error = status >= 300 && status < 400 ? 'redirects are not followed' : `status ${status}`;
    return { status, answer, error };
  }

  private async post(
    target: URL,
    body: string,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
  ): Promise<IncomingMessage> {
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = send(
        target,
        {
          method: 'POST',
          // Each call opens a connection of its own, because the address is checked when a connection opens.
          agent: false,
          lookup: this.hosts.lookup,
          signal,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Pressroom',
            ...headers,
          },
        },
        resolve,
      );
      request.on('error', reject);
      request.end(body);
    });
  }
}

/** Reads the beginning of the body as text, and then ends the connection. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    // UTF-8 has four bytes for a character at most.
    if (length >= 4 * ANSWER_MAX) break;
  }
  response.destroy();
  return [...Buffer.concat(chunks).toString('utf8')].slice(0, ANSWER_MAX).join('');
}
