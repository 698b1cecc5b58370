import { Global, Module } from '@nestjs/common';
import { Clock } from './clock.js';

/** What every feature may inject. */
@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class CommonModule {}
