import { Global, Module } from '@nestjs/common';
import { Clock } from './clock.js';

/** Providers that every feature may inject. */
@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class PlatformModule {}
