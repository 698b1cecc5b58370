import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  Controller,
  Get,
  Module,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { finalize, map, of, type Observable } from 'rxjs';
import { leanInterceptors } from './lean-interceptors.js';

let seen: string[] = [];

class Outer implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    seen.push(`outer ${context.getClass().name}.${context.getHandler().name} ${context.getType()}`);
    if (context.switchToHttp().getRequest<{ url: string }>().url === '/short') return of('short');
    return next.handle().pipe(
      map((value) => `outer(${String(value)})`),
      finalize(() => seen.push('outer ends')),
    );
  }
}

class Inner implements NestInterceptor {
  async intercept(_context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    await Promise.resolve();
    seen.push('inner');
    return next.handle().pipe(
      map((value) => `inner(${String(value)})`),
      finalize(() => seen.push('inner ends')),
    );
  }
}

class Refusing implements NestInterceptor {
  intercept(): Observable<unknown> {
    throw new BadRequestException('refused');
  }
}

@Controller()
class Things {
  @Get('plain')
  plain(): string {
    seen.push('handler');
    return 'plain';
  }

  @Get('short')
  short(): string {
    return this.plain();
  }

  @Get('later')
  @UseInterceptors(Inner)
  async later(): Promise<string> {
    await Promise.resolve();
    return this.plain();
  }

  @Get('failing')
  @UseInterceptors(Inner)
  async failing(): Promise<string> {
    await Promise.resolve();
    throw new BadRequestException('failed');
  }

  @Get('refusing')
  @UseInterceptors(Inner, Refusing)
  refusing(): string {
    return this.plain();
  }
}

@Module({
  controllers: [Things],
  providers: [{ provide: APP_INTERCEPTOR, useClass: Outer }],
})
class ThingsModule {}

const OPTIONS = { logger: false, abortOnError: false } as const;

describe('leanInterceptors', () => {
  let nests: NestFastifyApplication;
  let ours: NestFastifyApplication;

  beforeEach(async () => {
    nests = await NestFactory.create(ThingsModule, new FastifyAdapter(), OPTIONS);
    ours = await NestFactory.create(ThingsModule, new FastifyAdapter(), OPTIONS);
    leanInterceptors(ours);
    await Promise.all([nests.init(), ours.init()]);
  });

  afterEach(() => Promise.all([nests.close(), ours.close()]));

  async function ask(app: NestFastifyApplication, url: string): Promise<unknown[]> {
    seen = [];
    const { statusCode, body } = await app.inject({ method: 'GET', url });
    return [statusCode, body, ...seen];
  }

  it.each([
    ['/plain', [200, 'outer(plain)', 'outer Things.plain http', 'handler', 'outer ends']],
    ['/short', [200, 'short', 'outer Things.short http']],
    [
      '/later',
      [
        ...[200, 'outer(inner(plain))', 'outer Things.later http', 'inner', 'handler'],
        ...['inner ends', 'outer ends'],
      ],
    ],
    [
      '/failing',
      [
        ...[400, '{"message":"failed","error":"Bad Request","statusCode":400}'],
        ...['outer Things.failing http', 'inner', 'inner ends', 'outer ends'],
      ],
    ],
    [
      '/refusing',
      [
        ...[400, '{"message":"refused","error":"Bad Request","statusCode":400}'],
        ...['outer Things.refusing http', 'inner', 'inner ends', 'outer ends'],
      ],
    ],
  ])('should do for %s what Nest does', async (url, expected) => {
    expect(await ask(ours, url)).toEqual(expected);
    expect(await ask(nests, url)).toEqual(expected);
  });

  it('should say so when Nest has moved its parts', () => {
    expect(() => leanInterceptors({} as NestFastifyApplication)).toThrow(
      'this version of Nest has no',
    );
  });
});
